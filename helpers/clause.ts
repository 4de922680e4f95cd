import { clausesOn } from '../engine/clause/clause.ts'
import { test } from './givens.ts'

/** Declares a clause of the contract: its id, its level and statement, and the check. */
export const clause = clausesOn(test)
