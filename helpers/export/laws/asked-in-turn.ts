// Exports that differ from a plain one in one way each, to be requested in turn or at once.

import { instantAt, isoOf, millisecond, second } from '../../../engine/files/dates.ts'
import {
  intersection,
  type Multiset,
  multisetOf,
  sizeOf,
  stableColumns,
} from '../../../engine/files/multiset.ts'
import type { CsvExport } from '../ask/exports.ts'
import { describeFilter, filterBy, mergeQueries, type Query } from '../ask/query.ts'
import type { Filters, KnownValue } from '../learn/filters.ts'
import { type Ranges, unlessUndecided } from '../learn/ranges.ts'
import type { Span } from '../learn/spans.ts'
import { eventRows, type Window } from '../learn/window.ts'
import { acceptedLanguages, needZonesApart } from './zones-and-locales.ts'

export type NamedQuery = {
  what: string
  by: 'nothing' | 'zone' | 'language' | 'default language' | 'filter' | 'range' | 'format'
  query: Query
}

/**
 * The window with the columns that stay equal when zone and language are named. If the service remembers
 * those of another request, dates and words vary, and are not among the window's columns.
 */
export async function withNamed(window: Window, { exports, few, times }: Ranges): Promise<Window> {
  const utc = (await times().catch(unlessUndecided))?.utc ?? {}
  const query = { ...(await few()), ...utc, locale: 'en' }
  const rowsIn = ({ csv }: CsvExport) => eventRows(window, csv?.records ?? [])
  const [one, other] = [await exports.csv(query), await exports.fresh.csv(query)].map(rowsIn)
  const staying = one && other ? stableColumns(one, other) : []
  // The time when a file was made may be in each row, and equal in two files.
  const telling = staying.filter((at) => new Set(one?.map((row) => row[at])).size > 1)
  return { ...window, columns: [...new Set([...window.columns, ...telling])] }
}

const fields = ['event_type', 'sub_type', 'system_source', 'entity_id', 'auditee_id'] as const

/** Exports to request in turn: the plain one, and others that each differ from it in one way. */
export async function asksInTurn(ranges: Ranges, filters: Filters): Promise<NamedQuery[]> {
  const { exports } = ranges
  const [window, few] = [await ranges.window(), await ranges.few()]
  const plain: NamedQuery = { what: 'the plain export', by: 'nothing', query: few }
  const asks = [plain]
  // First of all, so that later requests show what this one leaves behind.
  await filters.exports.csv(few)
  const zones = (await needZonesApart(exports, window, few).catch(unlessUndecided)) ?? []
  // Two of each: a remembered one can equal only one of them.
  for (const timezone of zones.slice(0, 2))
    asks.push({ what: `that in ${timezone}`, by: 'zone', query: { ...few, timezone } })
  // Between other languages and the plain one.
  asks.push({ what: 'that in en', by: 'default language', query: { ...few, locale: 'en' } })
  for (const locale of await acceptedLanguages(exports, few, 2))
    asks.push({ what: `that in ${locale}`, by: 'language', query: { ...few, locale } })
  const known = await findDividing(filters, window, few)
  if (known) {
    const query = mergeQueries(few, filterBy(known.field, known.value))
    asks.push({ what: `that for ${describeFilter(known.field, known.value)}`, by: 'filter', query })
  }
  asks.push({ what: 'the PDF', by: 'format', query: { ...few, fileType: 'pdf' } })
  const [cut] = await ranges.cuts()
  if (cut !== undefined && cut > window.start) {
    // Not at the time of an event: the repetition ends a little later, and must not hold one more.
    const [from, to] = [instantAt(window.start), instantAt(cut)]
    const middle = isoOf(((from + to) / (2n * second)) * second + 7n * millisecond)
    const query = { start: window.start, end: middle }
    asks.push({ what: `that from ${window.start} to ${middle}`, by: 'range', query })
  }
  return asks
}

async function findDividing(
  filters: Filters,
  window: Window,
  few: Span,
): Promise<Pick<KnownValue, 'field' | 'value'> | undefined> {
  const { exports } = filters
  const eventsOf = async (query: Query) =>
    multisetOf(eventRows(window, (await exports.csv(query)).csv?.records ?? []), window.columns)
  const all = await eventsOf(few)
  const divides = (events: Multiset) => {
    const size = sizeOf(intersection(events, all))
    return size > 0 && size < sizeOf(all)
  }
  for (const field of fields)
    for (const known of await filters.known(field)) if (divides(known.events)) return known
  // If a service caches files regardless of filters, each value got all events: vary the range.
  let milliseconds = 3
  for (const field of fields)
    for (const value of (await filters.likely(field)).slice(0, maxTried)) {
      const query = mergeQueries(laterBy(few, milliseconds), filterBy(field, value))
      if (divides(await eventsOf(query))) return { field, value }
      milliseconds += 1
    }
  return undefined
}

const maxTried = 2

/** The same range, some milliseconds longer: a cached file is not given for it. */
export const laterBy = <Q extends Query>(query: Q, milliseconds: number): Q => {
  if (query.end === undefined) return query
  return { ...query, end: isoOf(instantAt(query.end) + BigInt(milliseconds) * millisecond) }
}
