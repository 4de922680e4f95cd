import type { ClauseFacts } from '../clause/clause.ts'

export type Contract = {
  entry: string
  operations: Record<string, { title: string }>
  sentences: Record<string, Sentence[]>
}

/** word for word, or in our words what the contract leaves open */
export type Sentence = ({ says: string } | { unsaid: string }) &
  ({ clauses: string[] } | { unchecked: string })

export const titleOf = (
  { operations }: Pick<Contract, 'operations'>,
  { operation, title = '' }: ClauseFacts,
): string => (operation && operations[operation]?.title) ?? title
