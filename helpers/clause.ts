import { clausesOn } from '../engine/clause/clause.ts'
import type { Givens } from './givens.ts'

export const clausesOf = clausesOn<Givens>()

export const clauseOfFiles = clausesOf({ section: 'Export audit events', operation: 'export' })
