import type { Runner } from '../../engine/run/runner.ts'
import type { Embedded } from '../../program/stand-in/embedded.ts'
import { warm } from './threads/warm-threads.ts'

/** How a proof is run. */
export type Way = {
  runner(): Runner
  /** where the service is put; left out: on a port */
  place?(): Embedded['place']
  /** `isBeside`: something of the proof is reached by sockets */
  within<T>(run: () => Promise<T>, isBeside: boolean): Promise<T>
}

/** By sockets, in real time, the clauses in a thread of their own; `../simulated` puts another in its place. */
export const way: Way = { runner: warm, within: (run) => run() }
