import type { ClauseFacts } from '../../engine/clause/clause.ts'
import { operations } from '../../helpers/service/operations.ts'
import type { Facts } from '../../reporting/comparison/compare.ts'

/** Under which title a clause is reported: of its operation, or else of the suite it stands in. */
export const titleOf = ({ operation }: ClauseFacts, suite: string): string =>
  operation && operation in operations
    ? operations[operation as keyof typeof operations].title
    : suite

/** What reports say of a clause whether or not it ran. */
export const listed = (facts: ClauseFacts & { suite: string }): Facts => ({
  id: facts.id,
  level: facts.level,
  statement: facts.statement,
  section: facts.section,
  operation: titleOf(facts, facts.suite),
})
