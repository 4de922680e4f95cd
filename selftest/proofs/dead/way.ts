import type { Call } from '../../../reference/calls/call.ts'
import { type Bent, type ProofRules, proofOf } from '../fault.ts'

/** A service in which one named thing is dead, and the clauses that run first. */
export type Dead = Bent & {
  name: string
  by: string[]
}

/** Bent rules by the way in which a thing is dead. */
export type Ways = Readonly<Record<string, Omit<ProofRules<Dead>, 'by'>>>

/** Few events are enough unless the thing is about many. */
const few: Bent = { events: 300 }

/** A thing that is dead in each of these ways. */
export const deadIn = (thing: string, by: string | string[], ways: Ways, more = few): Dead[] =>
  Object.entries(ways).map(([way, told]) =>
    proofOf<Dead>()(`${thing}${way}`, { by: [by].flat(), ...more, ...told }),
  )

/** Refuses such a request after the key was accepted. */
const answers = (status: number, isMeant: (call: Call) => boolean) => ({
  permits: (call: Call) => !isMeant(call),
  forbiddenStatus: () => status,
})

/** The two ways in which a service refuses all requests of a kind. */
export const refusals = (isMeant: (call: Call) => boolean): Ways => ({
  'always refused': answers(400, isMeant),
  'always failing': answers(500, isMeant),
})
