import { clausesOn } from '../engine/clause/clause.ts'
import type { Givens } from './givens.ts'
import type { Moment } from './service/seen.ts'
import type { Around } from './updates/seen-updates.ts'

export const clausesOf = clausesOn<Givens, Moment & Around>()

export const clauseOfFiles = clausesOf({
  section: 'Export audit events',
  operation: 'export',
  seen: 'files',
})
