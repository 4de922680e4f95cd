import type { Call } from '../../../reference/calls/call.ts'
import type { Bent } from '../fault.ts'

/** A service in which one named thing is dead, and the clauses that run first. */
export type Dead = Bent & {
  name: string
  by: string[]
}

/** Refuses such a request after the key was accepted. */
const answers = (status: number, isMeant: (call: Call) => boolean): Bent => ({
  open: { permits: (call) => !isMeant(call), forbiddenStatus: () => status },
})

/** The two ways in which a service refuses all requests of a kind. */
export const refusals = (isMeant: (call: Call) => boolean): [way: string, bent: Bent][] => [
  ['always refused', answers(400, isMeant)],
  ['always failing', answers(500, isMeant)],
]

/** Few events are enough unless the thing is about many. */
export const few = { events: 300 }
