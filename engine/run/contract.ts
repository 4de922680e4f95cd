import type { ClauseFacts } from '../clause/clause.ts'
import type { Report } from './report.ts'

export type Contract = {
  /** the file that imports every suite, and declares the selection after them */
  entry: string
  operations: Record<string, { title: string }>
  /** the contract's sentences by heading, in its order */
  sentences: Record<string, Sentence[]>
  describeFacts?(facts: NonNullable<Report['exportFacts']>): [about: string, fact: string][]
}

/**
 * One sentence of the contract, word for word, or in our words what it leaves open. It has the
 * globs of the clauses that check it, or the reason why no client can.
 */
export type Sentence = ({ says: string } | { unsaid: string }) &
  ({ clauses: string[] } | { unchecked: string })

export const titleOf = (
  { operations }: Pick<Contract, 'operations'>,
  { operation, title = '' }: ClauseFacts,
): string => (operation && operations[operation]?.title) ?? title
