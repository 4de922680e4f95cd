import type { ClauseFacts } from '../clause/clause.ts'
import type { Place } from '../findings/file-rows.ts'
import type { Kinds } from '../findings/finding.ts'

export type Contract = {
  entry: string
  operations: Operations
  statuses: DueStatuses
  /** as Markdown */
  text: string
  sentences: Record<string, Sentence[]>
  findings: Kinds
  /** the file that a path asks for, but for its range; undefined if it asks for none */
  placeAt(path: string): Place | undefined
}

/** The statuses that are due to one mistake in a request. */
export type DueStatuses = Record<'badKey' | 'unknownId' | 'staleVersion', number>

/** What clauses ask for, by its id. A path has an id in place of `{…}`. */
export type Operations = Record<string, OperationRow>

type OperationRow = {
  title: string
  method: string
  path: string
  /** an accepted answer is a file */
  file?: true
}

/** The operations that a request asks for: several, if only its body tells them apart. */
export function operationsAt(
  operations: Operations,
  { method, path }: { method: string; path: string },
): string[] {
  const [route = ''] = path.split('?')
  const rows = Object.entries(operations).filter(
    ([, row]) => (row.method === 'PUT') === (method === 'PUT'),
  )
  const exact = rows.filter(([, row]) => isOfForm(route, row.path))
  // An unusual form of a path still has the part before the id.
  const similar = rows.filter(([, row]) => path.includes(row.path.replace(/\{.*/, '')))
  return (exact.length > 0 ? exact : longestIn(similar, path)).map(([operation]) => operation)
}

/** Where several rows have the same part before the id: those with the longest rest in the path. */
function longestIn(rows: [string, OperationRow][], path: string): [string, OperationRow][] {
  const lengthOf = ([, row]: [string, OperationRow]) => {
    const rest = restOf(row)
    return path.includes(rest) ? rest.length : 0
  }
  const longest = Math.max(...rows.map(lengthOf))
  const isAsLong = (row: [string, OperationRow]) => lengthOf(row) === longest
  const asLong = rows.filter(isAsLong)
  const alone = asLong.filter(([, row]) => restOf(row).length === longest)
  return alone.length > 0 ? alone : asLong
}

/** What follows the id. */
const restOf = ({ path }: OperationRow): string => path.replace(/^.*\}/, '')

/** The path of what an operation changes, and the rest of the operation's path. */
export function changedAt(
  operations: Operations,
  request: { method: string; path: string },
): { changed: string; rest: string } {
  const { path } = request
  const [operation = ''] = operationsAt(operations, request)
  const row = operations[operation]
  const rest = row?.path.includes('{') ? restOf(row) : ''
  const at = rest === '' ? -1 : path.indexOf(rest)
  return { changed: at < 0 ? path : path.slice(0, at), rest }
}

/** Whether the route is the path with an id in place of `{…}`. */
function isOfForm(route: string, path: string): boolean {
  const segments = route.split('/')
  const forms = path.split('/')
  return (
    segments.length === forms.length &&
    forms.every((form, at) => form === segments[at] || form.startsWith('{'))
  )
}

/** word for word, or in our words what the contract leaves open */
export type Sentence = ({ says: string } | { unsaid: string }) &
  ({ clauses: string[] } | { unchecked: string })

export const titleOf = (
  { operations }: Pick<Contract, 'operations'>,
  { operation, title = '' }: ClauseFacts,
): string => (operation && operations[operation]?.title) ?? title
