import { pathToFileURL } from 'node:url'
import { parentPort, workerData } from 'node:worker_threads'
import { expect } from 'vitest'
import { endTape, startTape, type TapePlace } from '../http/record/tape.ts'
import { enterSent } from '../time/entering.ts'
import type { Failure, Job, Said } from './runner.ts'
import { runHere } from './vitest-runner.ts'

const { entry, tape } = workerData as Job & { tape?: TapePlace }
if (tape) startTape(tape)
// Matchers would ask vitest.
expect.setState({ testPath: entry })

const tell = (said: Said) => parentPort?.postMessage(said)

for (const event of ['uncaughtException', 'unhandledRejection'])
  process.on(event, (thrown) => tell({ says: 'uncaught', error: failureOf(thrown) }))

function failureOf(thrown: unknown): Failure {
  if (!(thrown instanceof Error)) return { message: String(thrown) }
  return { name: thrown.name, message: thrown.message }
}

const load = () => import(pathToFileURL(entry).href)
const { done, cancel } = runHere({ file: entry, load }, tell)
parentPort?.on('message', (hasLeft: boolean) => enterSent('cancel', hasLeft, cancel))
await done
tell({ says: 'done', departed: endTape() })
