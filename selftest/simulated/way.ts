// Replaces ../proofs/way.ts if proofs run in one process.
import { expect } from 'vitest'
import { forgetChosen } from '../../engine/clause/chosen.ts'
import { clauses, declareClauses } from '../../engine/clause/clause.ts'
import { seededRandom } from '../../engine/http/retry.ts'
import { randomFor } from '../../engine/random.ts'
import type { Runner } from '../../engine/run/runner.ts'
import { runHere } from '../../engine/run/vitest-runner.ts'
import type { Way } from '../proofs/way.ts'
import { inSimulatedTime, keepChannelsHere } from './time.ts'
import { placeHere } from './transport.ts'
import { provide } from './vitest.ts'

const schedule = () => Number(process.env.SCHEDULE ?? 1)

let last: Promise<unknown> = Promise.resolve()

/** The clock belongs to the whole process, so runs do not overlap. */
function inTurn<T>(run: () => Promise<T>): Promise<T> {
  const done = last.then(run, run)
  last = done.catch(() => {})
  return done
}

keepChannelsHere()

/** In one thread and in simulated time, except for what needs sockets. */
export const way: Way = {
  runner: () => here,
  place: (front = (place) => place) => front(placeHere(schedule())),
  within: (run, isBeside) =>
    inTurn(() => {
      // Some faults draw.
      Math.random = seededRandom(schedule())
      return isBeside ? run() : inSimulatedTime(run)
    }),
}

let onUncaught: ((thrown: Error) => void) | undefined
for (const event of ['uncaughtException', 'unhandledRejection'])
  process.on(event, (thrown) => {
    if (!onUncaught) throw thrown
    onUncaught(thrown)
  })

/** Runs the clauses in this thread repeatedly, without loading them again. */
export const here: Runner = ({ entry, provide: values }, hear) => {
  expect.setState({ testPath: entry })
  provide(values)
  forgetChosen()
  onUncaught = ({ name, message }) => hear({ says: 'uncaught', error: { name, message } })
  const load = async () => {
    await import('../../suites/all.ts')
    // Givens can be created only while the runner loads.
    const { test } = await import('../../helpers/givens.ts')
    declareClauses(test, inOrder())
  }
  const { done, cancel } = runHere({ file: entry, load }, hear)
  const ended = done.then(() => {
    onUncaught = undefined
  })
  return { done: ended, cancel, terminate: () => {} }
}

/** The clauses in their order, or in an order drawn by ORDER. */
function inOrder() {
  const { ORDER } = process.env
  const all = [...clauses.values()]
  return ORDER ? randomFor(Number(ORDER), 'order').helpers.shuffle(all) : all
}
