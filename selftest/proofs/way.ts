import type { Runner } from '../../engine/run/runner.ts'
import type { Embedded } from '../../program/stand-in/embedded.ts'
import { type Front, frontOnPorts } from './bent/around.ts'
import { warm } from './threads/warm-threads.ts'

/** How a proof is run. */
export type Way = {
  runner: Runner
  /** how the service is reached, behind a front if there is one; default: on a port */
  place(front?: Front): Embedded['place']
  /** `isBeside`: a part of the proof uses sockets */
  within<T>(run: () => Promise<T>, isBeside: boolean): Promise<T>
}

/** By sockets, in real time, the clauses in their own thread; `../simulated` replaces it. */
export const way: Way = {
  runner: warm,
  place: (front) => front && frontOnPorts(front),
  within: (run) => run(),
}
