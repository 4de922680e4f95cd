import type { ClauseFacts } from '../engine/clause/clause.ts'
import { collectClauses } from '../program/clauses.ts'

let all: Promise<ClauseFacts[]> | undefined

/** Every clause, collected once in a worker: it takes some seconds. */
export function allClauses(): Promise<ClauseFacts[]> {
  all ??= collectClauses()
  return all
}
