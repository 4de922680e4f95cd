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

const tellUncaught = (thrown: unknown) => tell({ says: 'uncaught', error: failureOf(thrown) })

for (const event of ['uncaughtException', 'unhandledRejection']) process.on(event, tellUncaught)

function failureOf(thrown: unknown): Failure {
  if (!(thrown instanceof Error)) return { message: String(thrown) }
  return { name: thrown.name, message: thrown.message }
}

const load = () => import(pathToFileURL(entry).href)
const { done, cancel } = runHere({ file: entry, load }, tell)
parentPort?.on('message', (hasLeft: boolean) => enterSent('cancel', hasLeft, cancel))
// The run has to end, also if its end fails.
await done.catch(tellUncaught)
tell({ says: 'done', departed: endTape() })
