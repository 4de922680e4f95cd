import { clausesOn } from '../engine/clause/clause.ts'
import type { Givens } from './givens.ts'
import type { Moment } from './recorded/moments.ts'

/** The function that notes the clauses of a suite. Each clause states only what differs from the shared part. */
export const clausesOf = clausesOn<Givens, Moment>()
