// The entry of a run: one file for all suites starts in a fraction of the time of one file per suite.
import './all.ts'
import { declareClauses } from '../engine/clause/clause.ts'
import { test } from '../helpers/givens.ts'

declareClauses(test)
