import { parentPort, workerData } from 'node:worker_threads'
import type { Job, Said } from '../../../engine/run/runner.ts'
import { runAgain } from './again.ts'

const tell = (said: Said) => parentPort?.postMessage(said)

for (const event of ['uncaughtException', 'unhandledRejection'])
  process.on(event, ({ name, message }) => tell({ says: 'uncaught', error: { name, message } }))

let cancel: (() => void) | undefined

parentPort?.on('message', async (job: Job | 'cancel') => {
  if (job === 'cancel') return cancel?.()
  // The clauses ask this object for what is provided.
  Object.assign(workerData.provide, job.provide)
  const run = runAgain(job, tell)
  cancel = run.cancel
  await run.done
  tell({ says: 'done' })
})
