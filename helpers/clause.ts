import { clausesOn, type Place } from '../engine/clause/clause.ts'
import { test } from './givens.ts'

/** The function that declares the clauses of a suite: each says only what differs from what is said here. */
export const clausesOf = <Said extends Partial<Place>>(said: Said) => clausesOn(test, said)
