import type { ClauseFacts } from '../engine/clause/clause.ts'
import { suite } from '../program/clauses.ts'

/** Every clause. */
export const allClauses = async (): Promise<ClauseFacts[]> => suite
