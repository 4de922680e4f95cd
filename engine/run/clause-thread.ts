import { createRequire } from 'node:module'
import { extname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Runner, Said } from './runner.ts'

const extension = extname(import.meta.filename)

/** Runs the clauses in a thread of their own: what computes without end there can be ended from here. */
export const inThread: Runner = (job, hear) => {
  const thread = new Worker(join(import.meta.dirname, `thread${extension}`), {
    workerData: job,
    // Node loads no TypeScript by itself.
    execArgv: extension === '.ts' ? ['--import', createRequire(import.meta.url).resolve('tsx')] : [],
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
