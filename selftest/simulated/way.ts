// In place of ../proofs/way.ts where proofs run in one process.
import type { Way } from '../proofs/way.ts'
import { here } from './runner.ts'
import { inSimulatedTime, keepChannelsHere } from './time.ts'
import { placeHere } from './transport.ts'

let last: Promise<unknown> = Promise.resolve()

/** The clock is that of the whole process: one run after another. */
function inTurn<T>(run: () => Promise<T>): Promise<T> {
  const done = last.then(run, run)
  last = done.catch(() => {})
  return done
}

keepChannelsHere()

/** In one thread and in simulated time, but for what is reached by sockets. */
export const way: Way = {
  runner: () => here,
  place: () => placeHere(Number(process.env.SCHEDULE ?? 1)),
  within: (run, isBeside) => inTurn(() => (isBeside ? run() : inSimulatedTime(run))),
}
