import { createClauses } from '../engine/clause/clause.ts'
import type { Givens } from './givens.ts'

export const { clauses, clausesOf } = createClauses<Givens>()

export const clauseOfFiles = clausesOf({ section: 'Export audit events', operation: 'export' })
