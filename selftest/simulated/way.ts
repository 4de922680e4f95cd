// Replaces ../proofs/way.ts if proofs run in one process.
import type { Way } from '../proofs/way.ts'
import { here } from './runner.ts'
import { inSimulatedTime, keepChannelsHere } from './time.ts'
import { placeHere } from './transport.ts'

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
  place: (front = (place) => place) => front(placeHere(Number(process.env.SCHEDULE ?? 1))),
  within: (run, isBeside) => inTurn(() => (isBeside ? run() : inSimulatedTime(run))),
}
