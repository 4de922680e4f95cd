// The one entry of a run: one file starts in a fraction of the time that one for each suite takes.
import { describe } from 'vitest'
import { expectGlobsToMatch } from '../helpers/clause.ts'
import './authentication.ts'
import './task.ts'
import './assignment.ts'
import './comments.ts'
import './assignment-refusals.ts'
import './assignment-silences.ts'
import './concurrency.ts'
import './assessment.ts'
import './export-filters.ts'

// Suites are collected one after another: when this one is, all clauses have been declared.
describe('the selection', expectGlobsToMatch)
