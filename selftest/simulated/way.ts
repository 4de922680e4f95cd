// Replaces ../proofs/way.ts if proofs run in one process.
import { seededRandom } from '../../engine/http/retry.ts'
import type { Way } from '../proofs/way.ts'
import { here } from './runner.ts'
import { inSimulatedTime, keepChannelsHere } from './time.ts'
import { placeHere } from './transport.ts'

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
