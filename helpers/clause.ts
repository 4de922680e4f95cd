import { clausesOn } from '../engine/clause/clause.ts'
import type { Givens } from './givens.ts'
import type { Moment } from './recorded/moments.ts'

export const clausesOf = clausesOn<Givens, Moment>()

export const clauseOfFiles = clausesOf({
  section: 'Export audit events',
  operation: 'export',
  seen: 'files',
})
