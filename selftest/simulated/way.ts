// Replaces ../proofs/way.ts if proofs run in one process.

import type { Noted } from '../../engine/clause/clause.ts'
import { seededRandom } from '../../engine/http/retry.ts'
import { randomFor } from '../../engine/random.ts'
import type { Runner } from '../../engine/run/runner.ts'
import type { Givens } from '../../helpers/givens.ts'
import { runAgain } from '../proofs/threads/again.ts'
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

let onUncaught: ((thrown: Error) => void) | undefined
for (const event of ['uncaughtException', 'unhandledRejection'])
  process.on(event, (thrown) => {
    if (!onUncaught) throw thrown
    onUncaught(thrown)
  })

/** Runs the clauses in this thread. */
const here: Runner = (job, hear) => {
  provide(job.provide)
  onUncaught = ({ name, message }) => hear({ says: 'uncaught', error: { name, message } })
  const { done, cancel } = runAgain(job, hear, inOrder)
  const ended = done.then(() => {
    onUncaught = undefined
  })
  return { done: ended, cancel, terminate: () => {} }
}

/** The clauses as they are, or in an order drawn by ORDER. */
function inOrder(all: Noted<Givens>[]): Noted<Givens>[] {
  const { ORDER } = process.env
  return ORDER ? randomFor(Number(ORDER), 'order').helpers.shuffle(all) : all
}

/** In one thread and in simulated time, except for what needs sockets. */
export const way: Way = {
  runner: here,
  place: (front = (place) => place) => front(placeHere(schedule())),
  within: (run, isBeside) =>
    inTurn(() => {
      // Some faults draw.
      Math.random = seededRandom(schedule())
      return isBeside ? run() : inSimulatedTime(run)
    }),
}
