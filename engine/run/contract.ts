import type { ClauseFacts } from '../clause/clause.ts'
import type { Report } from './report.ts'

/** What a contract suite gives the engine, besides the clauses that its entry declares. */
export type Contract = {
  /** the file that imports every suite, and declares the selection after them */
  entry: string
  /** the operations that clauses name, with their titles in reports */
  operations: Record<string, { title: string }>
  /** the contract's sentences by heading, in its order */
  sentences: Record<string, Sentence[]>
  describeFacts?(facts: NonNullable<Report['exportFacts']>): [about: string, fact: string][]
}

/**
 * One sentence of the contract, word for word, or in our words what it leaves unsaid. It has the globs of
 * the clauses that check it, or the reason why no client can.
 */
export type Sentence = ({ says: string } | { unsaid: string }) &
  ({ clauses: string[] } | { unchecked: string })

/** The title of a clause in reports: of its operation, or its own. */
export const titleOf = (
  { operations }: Pick<Contract, 'operations'>,
  { operation, title = '' }: ClauseFacts,
): string => (operation && operations[operation]?.title) ?? title
