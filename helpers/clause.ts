import { clausesOn, type Place } from '../engine/clause/clause.ts'
import { test } from './givens.ts'

/** The function that declares the clauses of a suite. Each clause states only what differs from the shared part. */
export const clausesOf = <Said extends Partial<Place>>(said: Said) => clausesOn(test, said)
