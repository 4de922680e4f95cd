// The one entry of a run: a single file starts in a fraction of the time of one file per suite.
import './all.ts'
import { declareClauses } from '../engine/clause/clause.ts'
import { test } from '../helpers/givens.ts'

declareClauses(test)
