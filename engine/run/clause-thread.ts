import { extname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { Runner, Said } from './runner.ts'

const extension = extname(import.meta.filename)
const file = join(import.meta.dirname, `thread${extension}`)

/** In a checkout: Node itself reads no TypeScript, and a thread has not what its process has for that. */
function readByTsx(): string {
  const [tsx, thread] = [import.meta.resolve('tsx/esm/api'), pathToFileURL(file).href].map((each) =>
    JSON.stringify(each),
  )
  return `import(${tsx}).then((tsx) => { tsx.register(); return import(${thread}) })`
}

/** Runs the clauses in a thread of their own: what computes without end there can be ended from here. */
export const inThread: Runner = (job, hear) => {
  const isSource = extension === '.ts'
  const thread = new Worker(isSource ? readByTsx() : file, {
    eval: isSource,
    workerData: job,
    // What its process was started with may not fit a thread.
    execArgv: [],
    // What a library prints is no part of the report.
    stdout: true,
    stderr: true,
  })
  let isDone = false
  thread.on('message', (said: Said) => {
    if (said.says === 'done') {
      isDone = true
      void thread.terminate()
    } else hear(said)
  })
  thread.on('error', ({ name, message }) => hear({ says: 'stumbled', error: { name, message } }))
  const done = new Promise<void>((resolve) => {
    thread.on('exit', (code) => {
      const message = `the thread of the clauses ended before they did, with code ${code}`
      if (!isDone) hear({ says: 'stumbled', error: { message } })
      resolve()
    })
  })
  return {
    done,
    cancel: () => thread.postMessage('cancel'),
    terminate: () => void thread.terminate(),
  }
}
