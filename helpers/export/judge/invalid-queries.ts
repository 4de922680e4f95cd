import type { Answer } from '../../../engine/http/client.ts'
import type { Exports } from '../ask/exports.ts'
import type { Query } from '../ask/query.ts'
import { type Clock, recentHour } from '../ask/recent-hour.ts'

/** A request that is wrong in one thing, and the same with that repaired. */
export type InvalidQuery = {
  name: string
  what: string
  query(clock: Clock): Query
  /** a task that exists is as good a value as any */
  repaired(clock: Clock, taskId?: string): Query
}

/** The invalid requests that the contract does not name; each asks for little in any case. */
export const invalidQueries: InvalidQuery[] = [
  {
    name: 'file-type',
    what: 'a file_type other than csv and pdf',
    query: (clock) => ({ ...recentHour(clock), fileType: 'xlsx' }),
    repaired: recentHour,
  },
  {
    name: 'metadata-key',
    what: 'a metadata key that is not allowed',
    query: (clock) => ({ ...recentHour(clock), more: 'metadata[colour]=blue' }),
    // A tag that nothing has may be refused as well: then the control leaves it undecided.
    repaired: (clock, id) => ({
      ...recentHour(clock),
      metadata: id ? { task_id: id } : { tag: 'blue' },
    }),
  },
  {
    name: 'range-form',
    what: 'a range_start that is no datetime',
    query: (clock) => ({ ...recentHour(clock), start: 'yesterday' }),
    repaired: recentHour,
  },
  {
    name: 'timezone',
    what: 'a timezone that is none',
    query: (clock) => ({ ...recentHour(clock), timezone: 'Mars/Olympus_Mons' }),
    repaired: (clock) => ({ ...recentHour(clock), timezone: 'Europe/Berlin' }),
  },
]

/** The one that the contract names. */
export function reversedRange(clock: Clock): Query {
  const { start, end } = recentHour(clock)
  return { start: end, end: start }
}

/** What all of them are answered, the reversed range first. */
export async function fetchRefusals(exports: Exports): Promise<Answer[]> {
  const found = await Promise.all(
    [reversedRange(exports), ...invalidQueries.map(({ query }) => query(exports))].map(
      exports.refusal,
    ),
  )
  return found.map(({ answer, text = '' }) => ({
    ...answer,
    text,
    bytes: Buffer.from(text),
    validUtf8: true,
  }))
}
