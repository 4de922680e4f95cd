// Parts of a range add up to the whole: beside a filter, and for all events of the service.

import type { Unasked } from '../../../engine/clause/case.ts'
import { distinct } from '../../../engine/distinct.ts'
import { isoOf } from '../../../engine/files/dates.ts'
import { sizeOf } from '../../../engine/files/multiset.ts'
import { describePlace } from '../../../engine/findings/file-rows.ts'
import type { Why } from '../../../engine/outcome.ts'
import { premise } from '../../service/answers.ts'
import type { Exports } from '../ask/exports.ts'
import { placeOf } from '../ask/places.ts'
import { type Field, filterBy, type Query } from '../ask/query.ts'
import { countEvents, iso } from '../learn/around-limit.ts'
import type { Filters, KnownValue } from '../learn/filters.ts'
import { type Ranges, unlessUndecided } from '../learn/ranges.ts'
import { farPast } from '../learn/spans.ts'
import { sorted } from '../learn/time-column.ts'
import { rowsLike, spanOf, type Window } from '../learn/window.ts'
import { eventsOf } from './file.ts'
import { timedRows } from './range-pairs.ts'
import { askCuts, type Cuts, cutAt } from './ranges.ts'

/** The window, cut between events of one value of these fields. */
export async function askFilteredSplit(
  filters: Filters,
  ranges: Ranges,
  fields: readonly Field[],
): Promise<Cuts | Unasked> {
  const { exports, window } = filters
  const { field, value, times } = await findValueToSplit(filters, ranges, fields)
  const cuts = await ranges.cuts()
  // Events follow the cut, so that a range_end without effect shows.
  const middle = times.length > 1 ? times[(times.length - 1) >> 1] : undefined
  const cut = middle === undefined ? (cuts[cuts.length >> 1] ?? window.end) : isoOf(middle)
  return askCuts(exports, window, [cutAt(spanOf(window), cut)], {
    rowsOf: async (query, { fetch }) => rowsLike(window, await fetch(query)),
    filter: filterBy(field, value),
  })
}

type ValueToSplit = KnownValue & { times: bigint[] }

/** The known value whose events have the most times; if no time is known, the one with the most events. */
async function findValueToSplit(
  filters: Filters,
  ranges: Ranges,
  fields: readonly Field[],
): Promise<ValueToSplit> {
  const { window } = filters
  const shown = await ranges.times().catch(unlessUndecided)
  const rows = shown ? timedRows(window, shown) : []
  const values: ValueToSplit[] = []
  for (const field of fields)
    for (const known of await filters.known(field)) {
      const rowsOfValue = rows.filter(({ key }) => known.events.has(key))
      const times = sorted(distinct(rowsOfValue.map(({ time }) => time)))
      values.push({ ...known, times })
    }
  const [first, ...others] = await filters.needSome(values, ...fields)
  const isBetter = (value: ValueToSplit, best: ValueToSplit) =>
    value.times.length === best.times.length
      ? sizeOf(value.events) > sizeOf(best.events)
      : value.times.length > best.times.length
  return others.reduce((best, value) => (isBetter(value, best) ? value : best), first)
}

/** All events until the window ends, cut behind four tenths of them; if no time is known, where the window begins. */
export async function askWholeSplit(
  exports: Exports,
  window: Window,
  maxExportMb: number,
): Promise<Cuts | Unasked> {
  const all = { start: farPast, end: window.end }
  const read = (await fetchMostEvents(exports, window, maxExportMb)) + 1
  const rowsOf = async (query: Query, { port }: { port: Exports }) => {
    const { cut, rows } = await countEvents(port, window, query, read)
    const tooMany = `the export of all events until ${window.end} has ${read} rows or more; this check compares fewer (MAX_EXPORT_MB, and 20,000 at most)`
    premise(!cut, 'data', tooMany)
    return rows
  }
  await rowsOf(all, { port: exports })
  const { times } = await countEvents(exports, window, all, read)
  const shown = times()
  const time = shown[Math.floor(shown.length * 0.4)]
  const isWithin = time !== undefined && time < Date.parse(window.end)
  const cut = isWithin ? iso(time) : window.start
  return askCuts(exports, window, [cutAt(all, cut)], { rowsOf, looked: all })
}

const mostEvents = 20_000
const megabyte = 1024 * 1024

/** Rows of other times may be twice as long as those of the window. */
async function fetchMostEvents(exports: Exports, window: Window, maxExportMb: number) {
  const { bytes, count } = await exports.csvFile(spanOf(window))
  const fitting = Math.floor((maxExportMb * megabyte * count) / (2 * bytes))
  return Math.min(mostEvents, fitting)
}

export const lacksFilter = ({ length }: readonly unknown[]): Why | undefined =>
  length < 2
    ? [
        'data',
        'values of a parameter and of a metadata key are needed that some events of the window have and others do not have (METADATA_VALUES)',
      ]
    : undefined

export const describeSplits = (all: readonly Cuts[]): string => {
  const wholes = all
    .flatMap(({ cuts }) => cuts)
    .map(({ whole, filter }) => {
      const where = filter ? ` of the ${describePlace(placeOf(filter))}` : ''
      return `${eventsOf(whole.length)}${where}`
    })
  return `as many events in two parts as in the whole: ${wholes.join(', ')}`
}
