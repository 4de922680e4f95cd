import { departureNow, enter, enterSent, numbered } from '../time/entering.ts'
import { clock, type Timer } from '../time/timers.ts'
import type { Wait } from '../time/waits.ts'
import type { MetHere } from './report.ts'

export type Answers = Readonly<Record<string, number>>

type FromWorker<Note> =
  | { says: 'requests'; count: number; answers: Answers }
  | { says: 'met'; met: MetHere }
  | { says: 'note'; note: Note }
  | { says: 'waits'; waits: readonly Wait[] }

export function openMainEnd<Note>(id: string, heard: (message: FromWorker<Note>) => void) {
  const channel = new BroadcastChannel(id)
  channel.onmessage = ({ data }: { data: FromWorker<Note> }) =>
    // Waits are only shown, so nothing enters.
    data.says === 'waits' ? heard(data) : enter(numbered('news'), () => heard(data))
  return {
    end: (reason: string) => channel.postMessage([reason, departureNow() !== undefined]),
    close: () => channel.close(),
  }
}

/** The number of requests is sent now and then: a message costs more than a request. */
export function openWorkerEnd<Note>(id: string, ended: (reason: string) => void) {
  const channel = new BroadcastChannel(id)
  channel.onmessage = ({ data: [reason, hasLeft] }: { data: [string, boolean] }) =>
    enterSent('end', hasLeft, () => ended(reason))
  const say = (message: FromWorker<Note>) => channel.postMessage(message)
  let count = 0
  let answers: Record<string, number> = {}
  let timer: Timer | undefined
  let closed = false
  const sayCount = () => {
    clock.clear(timer)
    timer = undefined
    if (!closed) say({ says: 'requests', count, answers })
    count = 0
    answers = {}
  }
  const saySoon = () => {
    timer ??= clock.setTimeout(sayCount, 50).unref()
  }
  return {
    requested() {
      count += 1
      saySoon()
    },
    answered(kind: string) {
      answers[kind] = (answers[kind] ?? 0) + 1
      saySoon()
    },
    met: (met: MetHere) => say({ says: 'met', met }),
    note: (note: Note) => say({ says: 'note', note }),
    waits: (waits: readonly Wait[]) => {
      if (!closed) say({ says: 'waits', waits })
    },
    close() {
      sayCount()
      closed = true
      channel.close()
    },
  }
}
