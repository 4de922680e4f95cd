import { clausesOn, type Place } from '../engine/clause/clause.ts'
import { test } from './givens.ts'

/** Declares a clause of the contract: its id, its level and statement, and the check. */
export const clause = clausesOn(test)

/** The same for a suite whose clauses stand in one place: each says only what differs. */
export const clausesOf = <Said extends Partial<Place>>(said: Said) => clausesOn(test, said)
