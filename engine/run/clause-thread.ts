import { extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { noteDeparture, placeOfThread } from '../http/record/tape.ts'
import { depart, departureNow, enter, hold, numbered } from '../time/entering.ts'
import type { Runner, Said } from './runner.ts'

const extension = extname(import.meta.filename)
const file = join(import.meta.dirname, `thread${extension}`)

/** Node reads no TypeScript, and a thread does not inherit the loader of its process. */
function readByTsx(): string {
  const [tsx, thread] = [import.meta.resolve('tsx/esm/api'), pathToFileURL(file).href].map((each) =>
    JSON.stringify(each),
  )
  return `import(${tsx}).then((tsx) => { tsx.register(); return import(${thread}) })`
}

/** Runs the clauses in a thread, so that a clause that computes without end can be ended. */
export const inThread: Runner = (job, hear) => {
  const isSource = extension === '.ts'
  const thread = new Worker(isSource ? readByTsx() : file, {
    eval: isSource,
    workerData: { ...job, tape: placeOfThread() },
    // Flags of the process may not be valid in a thread.
    execArgv: [],
    // Output of a library must not mix with the report.
    stdout: true,
    stderr: true,
  })
  let isDone = false
  const release = hold()
  const comes = (act: () => void) => enter(numbered('said'), act)
  thread.on('message', (said: Said) => {
    // Nothing more comes, not even what this thread would wait for.
    if (said.says === 'done') release()
    if (said.says === 'done' && said.departed) depart(said.departed.why)
    comes(() => {
      if (said.says === 'done') {
        isDone = true
        if (said.departed) noteDeparture(said.departed)
        // Otherwise limits of the whole run would fire meanwhile.
        void thread.terminate().finally(hold())
      } else hear(said)
    })
  })
  thread.on('error', ({ name, message }) =>
    comes(() => hear({ says: 'uncaught', error: { name, message } })),
  )
  const done = new Promise<void>((resolve) => {
    thread.on('exit', (code) => {
      release()
      comes(() => {
        const message = `the thread of the clauses ended before they did, with code ${code}`
        if (!isDone) hear({ says: 'uncaught', error: { message } })
        resolve()
      })
    })
  })
  return {
    done,
    cancel: () => thread.postMessage(departureNow() !== undefined),
    terminate: () => void thread.terminate(),
  }
}
