import type { MetHere } from './report.ts'

/** What the worker sends while the clauses run; a note comes from the contract's session. */
export type FromWorker<Note> =
  | { says: 'requests'; count: number }
  | { says: 'met'; met: MetHere }
  | { says: 'note'; note: Note }

/** What the main process sends: the run ends now, and why. */
export type FromMain = { says: 'end'; reason: string }

export function openMainEnd<Note>(id: string, heard: (message: FromWorker<Note>) => void) {
  const channel = new BroadcastChannel(id)
  channel.onmessage = ({ data }: { data: FromWorker<Note> }) => heard(data)
  return {
    say: (message: FromMain) => channel.postMessage(message),
    close: () => channel.close(),
  }
}

/** The worker's end. It sends the number of requests now and then: a message costs more than a request. */
export function openWorkerEnd<Note>(id: string, heard: (message: FromMain) => void) {
  const channel = new BroadcastChannel(id)
  channel.onmessage = ({ data }: { data: FromMain }) => heard(data)
  const say = (message: FromWorker<Note>) => channel.postMessage(message)
  let count = 0
  let closed = false
  const sayCount = () => {
    if (count > 0 && !closed) say({ says: 'requests', count })
    count = 0
  }
  return {
    requested() {
      count += 1
      if (count === 1) setTimeout(sayCount, 50).unref()
    },
    met: (met: MetHere) => say({ says: 'met', met }),
    note: (note: Note) => say({ says: 'note', note }),
    close() {
      sayCount()
      closed = true
      channel.close()
    },
  }
}
