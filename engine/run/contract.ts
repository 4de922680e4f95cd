import type { ClauseFacts } from '../clause/clause.ts'
import type { Report } from './report.ts'

/** What a contract suite hands to the engine, beside the clauses that its entry declares. */
export type Contract = {
  /** the file that imports every suite, and declares the selection after them */
  entry: string
  /** the operations that clauses name, each with the title under which it is reported */
  operations: Record<string, { title: string }>
  /** the contract's sentences, by heading and in its order */
  sentences: Record<string, Sentence[]>
  /** what a run found out about exported files, in words */
  describeFacts?(facts: NonNullable<Report['exportFacts']>): [about: string, fact: string][]
}

/**
 * One sentence of a contract, word for word, or in the suite's words what the contract says nothing of,
 * with globs of the clauses that check it, or the reason why no client can.
 */
export type Sentence = ({ says: string } | { unsaid: string }) &
  ({ clauses: string[] } | { unchecked: string })

/** Under which title a clause is reported: of its operation, or else its own. */
export const titleOf = (
  { operations }: Pick<Contract, 'operations'>,
  { operation, title = '' }: ClauseFacts,
): string => (operation && operations[operation]?.title) ?? title
