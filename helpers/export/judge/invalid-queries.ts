import type { Answer } from '../../../engine/http/client.ts'
import type { Exports } from '../ask/exports.ts'
import type { Query } from '../ask/query.ts'
import { recentHour } from '../learn/spans.ts'

/** A request that is wrong in one thing, and the same with that repaired. */
export type InvalidQuery = {
  name: string
  what: string
  query(): Query
  /** a task that exists is as good a value as any */
  repaired(taskId?: string): Query
}

/** The invalid requests that the contract does not name; each asks for little in any case. */
export const invalidQueries: InvalidQuery[] = [
  {
    name: 'file-type',
    what: 'a file_type other than csv and pdf',
    query: () => ({ ...recentHour(), fileType: 'xlsx' }),
    repaired: recentHour,
  },
  {
    name: 'metadata-key',
    what: 'a metadata key that is not allowed',
    query: () => ({ ...recentHour(), more: 'metadata[colour]=blue' }),
    // A tag that nothing has may be refused as well: then the control leaves it undecided.
    repaired: (id) => ({ ...recentHour(), metadata: id ? { task_id: id } : { tag: 'blue' } }),
  },
  {
    name: 'range-form',
    what: 'a range_start that is no datetime',
    query: () => ({ ...recentHour(), start: 'yesterday' }),
    repaired: recentHour,
  },
  {
    name: 'timezone',
    what: 'a timezone that is none',
    query: () => ({ ...recentHour(), timezone: 'Mars/Olympus_Mons' }),
    repaired: () => ({ ...recentHour(), timezone: 'Europe/Berlin' }),
  },
]

/** The one that the contract names. */
export function reversedRange(): Query {
  const { start, end } = recentHour()
  return { start: end, end: start }
}

/** What all of them are answered, the reversed range first. */
export async function fetchRefusals(exports: Exports): Promise<Answer[]> {
  const found = await Promise.all(
    [reversedRange(), ...invalidQueries.map(({ query }) => query())].map(exports.refusal),
  )
  return found.map(({ answer, text = '' }) => ({
    ...answer,
    text,
    bytes: Buffer.from(text),
    validUtf8: true,
  }))
}
