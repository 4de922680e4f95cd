import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Runner, Said } from '../../../engine/run/runner.ts'

const idle: Worker[] = []

const begun = (): Worker =>
  new Worker(join(import.meta.dirname, 'start.mjs'), {
    workerData: { provide: {} },
    // Flags of the process may not be valid in a thread.
    execArgv: [],
    // Output of a library must not mix with the report.
    stdout: true,
    stderr: true,
  })

/**
 * Runs clauses in threads that outlive their runs, as many as run at once: starting one and loading
 * everything takes longer than most proofs.
 */
export const warm: Runner = (job, hear) => {
  const thread = idle.pop() ?? begun()
  const done = new Promise<void>((resolve) => {
    thread.on('message', (said: Said) => {
      if (said.says !== 'done') return hear(said)
      for (const event of ['message', 'error', 'exit']) thread.removeAllListeners(event)
      thread.unref()
      idle.push(thread)
      resolve()
    })
    thread.on('error', ({ name, message }) => hear({ says: 'uncaught', error: { name, message } }))
    thread.on('exit', () => resolve())
  })
  thread.ref()
  thread.postMessage(job)
  return {
    done,
    cancel: () => thread.postMessage('cancel'),
    terminate: () => void thread.terminate(),
  }
}
