// The entry of a run: one file for all suites starts in a fraction of the time of one file per suite.
import './all.ts'
import { declareClauses } from '../engine/clause/clause.ts'
import { clauses } from '../helpers/clause.ts'
import { openGivens } from '../helpers/givens.ts'

const givens = openGivens()
declareClauses(givens, [...clauses.values()])

/** Ends what clauses were given; called when all have ended. */
export const { close } = givens
