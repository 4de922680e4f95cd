// Filters together with a format, a zone, a language and bounds: chosen so that every two meet.

import { distinct } from '../../../../engine/distinct.ts'
import { isoOf } from '../../../../engine/files/dates.ts'
import { type Identity, isOfIds } from '../../../../engine/files/identity.ts'
import { type Multiset, multisetOf } from '../../../../engine/files/multiset.ts'
import { from } from '../../../../engine/origin.ts'
import { NotDecidable } from '../../../../engine/outcome.ts'
import { pairwise } from '../../../../engine/pairs.ts'
import type { Problem } from '../../../../engine/problem.ts'
import { type Faker, randomFor } from '../../../../engine/random.ts'
import { filterBy, mergeQueries, type Query } from '../../ask/query.ts'
import { confirmed } from '../../learn/confirmed.ts'
import type { Filters } from '../../learn/filters.ts'
import { type Ranges, unlessUndecided } from '../../learn/ranges.ts'
import { linesOf } from '../../learn/relations.ts'
import type { TimeColumn, Times } from '../../learn/time-column.ts'
import { rowsLike, spanOf, type Window } from '../../learn/window.ts'
import { problemsOfOtherEvents } from '../same-file.ts'
import { acceptedLanguages, acceptedValues } from '../zones-and-locales.ts'
import { broadestOf, type FilterSet, filterSets } from './filter-sets.ts'
import { problemsOfShown } from './pdf-parts.ts'
import { findZonedColumn, problemsOfUnzonedTimes } from './times-in-zone.ts'

/** One request of those that are chosen. */
export type Combination = {
  fileType: 'csv' | 'pdf'
  filter: FilterSet
  /** zone and language, where there are any */
  shown: Pick<Query, 'timezone' | 'locale'>
  bounds: Bounds
  /** shows times, which are others in the zone */
  column: TimeColumn | undefined
  /** what is asked for without zone and language */
  filtered: string
  described: string
}

/** A part of the window, and which of its rows show a time within it, where rows show times. */
type Bounds = { start: string; end: string; has?: (row: readonly string[]) => boolean }

const zones = ['America/St_Johns', 'Asia/Kolkata', 'Asia/Tokyo'] as const
const leftOut = 'left out'

/** Requests in which every filter meets each format, zone, language and range, and these each other. */
export const findCombinations = (
  ranges: Ranges,
  filters: Filters,
  seed: number,
): Promise<Combination[]> =>
  filters.exports.once('combinations', async () => {
    const { exports } = ranges
    const [window, few] = [await ranges.window(), await ranges.few()]
    const sets = await filterSets(filters, window)
    const [zone] = await acceptedValues(exports, zones, (timezone) => ({ ...few, timezone }))
    const [language] = await acceptedLanguages(exports, few, 1)
    const times = await ranges.times().catch(unlessUndecided)
    const zoned =
      zone && times && (await findZonedColumn(exports, { window, times, span: few }, zone))
    const [cut = window.start] = await ranges.cuts()
    const part = { start: cut, end: window.end }
    const edgesOf = (set: FilterSet) => (times && edgesAmong(times, window, set)) ?? part
    const rows = pairwise(
      {
        fileType: ['csv', 'pdf'],
        filter: sets.map((_, at) => `${at}`),
        zone: [leftOut, ...(zone ? [zone] : [])],
        language: [leftOut, ...(language ? [language] : [])],
        bounds: ['whole', 'edges'],
      },
      randomFor(seed, 'combinations') as Faker,
    )
    // A mistake of the range shows where events lie close together: with what keeps most of them.
    const filter = `${sets.indexOf(broadestOf(sets))}`
    for (const fileType of zone ? (['csv', 'pdf'] as const) : [])
      rows.push({ fileType, filter, zone: zone ?? leftOut, language: leftOut, bounds: 'edges' })
    return rows.map((row): Combination => {
      const filter = sets[Number(row.filter)] as FilterSet
      const timezone = row.zone === leftOut ? {} : { timezone: row.zone }
      const locale = row.language === leftOut ? {} : { locale: row.language }
      const shown = { ...timezone, ...locale }
      const isWhole = row.bounds === 'whole'
      const bounds: Bounds = isWhole ? spanOf(window) : edgesOf(filter)
      const part = isWhole ? [] : [`from ${bounds.start} to ${bounds.end}`]
      const what = `${row.fileType} for ${filter.described}`
      const filtered = [what, ...part].join(', ')
      const described = [what, ...Object.values(shown), ...part].join(', ')
      const fileType = row.fileType as 'csv' | 'pdf'
      const column = row.zone === leftOut ? undefined : zoned
      return { fileType, filter, shown, bounds, column, filtered, described }
    })
  })

/**
 * Those of PDFs that can be judged: what tells events apart where no id does is written otherwise in each
 * zone and language, so they are asked for without.
 */
export function thatCanBeJudged(
  combinations: Combination[],
  identity: Identity | undefined,
  { rows }: Window,
): Combination[] {
  if (!identity || isOfIds(rows, identity)) return combinations
  const plain = combinations.map((each) => {
    const { filtered } = each
    return { ...each, shown: {}, column: undefined, described: filtered }
  })
  return [...new Map(plain.map((each) => [each.filtered, each])).values()]
}

/** From the second to the last but one of the times at which a filter lets events through. */
function edgesAmong(
  { rows, columns }: Times,
  window: Window,
  filter: FilterSet,
): Bounds | undefined {
  const passing = new Set(rowsThrough(window, filter, rows))
  const shown = columns[0].times.filter((_, at) => passing.has(rows[at] as string[]))
  const times = distinct(shown).toSorted((a, b) => (a < b ? -1 : 1))
  const [start, end] = [times[1] ?? times[0], times.at(-2)]
  if (start === undefined || end === undefined || start > end) return undefined
  const has = (row: readonly string[]) => {
    const time = columns[0].timeIn(row)
    return time !== undefined && time >= start && time <= end
  }
  return { start: isoOf(start), end: isoOf(end), has }
}

const filtersOf = ({ filter }: Combination): Query =>
  mergeQueries(
    ...filter.values.map((each) =>
      filterBy(each[0]?.field ?? 'tag', ...each.map(({ value }) => value)),
    ),
  )

/** The rows that are among each of these events. */
function rowsAmong({ columns }: Window, rows: string[][], ...all: Multiset[][]): string[][] {
  return rows.filter((row) => {
    const [key = ''] = multisetOf([row], columns).keys()
    return all.every((each) => each.some((events) => (events.get(key) ?? 0) > 0))
  })
}

/** The rows that the filters let through, by what each value gave alone. */
const rowsThrough = (window: Window, { values }: FilterSet, rows: string[][]) =>
  rowsAmong(window, rows, ...values.map((each) => each.map(({ events }) => events)))

type Asking = (query: Query) => Promise<string[][]>

const isOfMany = ({ filter }: Combination) =>
  filter.values.length > 2 || filter.values.some((each) => each.length > 1)

/** The filters with the events that each of their values alone has now, in the whole window. */
async function askedAlone(
  { filter }: Combination,
  window: Window,
  rowsOf: (query: Query) => Promise<string[][]>,
): Promise<FilterSet> {
  const values = await Promise.all(
    filter.values.map((each) =>
      Promise.all(
        each.map(async (known) => {
          const query = mergeQueries(spanOf(window), filterBy(known.field, known.value))
          return { ...known, events: multisetOf(await rowsOf(query), window.columns) }
        }),
      ),
    ),
  )
  return { ...filter, values }
}

/** Other events in a combination than in the plain CSV of the same filters and range. */
export async function problemsOfCombination(
  combination: Combination,
  filters: Filters,
  window: Window,
  identity: Identity | undefined,
): Promise<Problem[]> {
  const { exports } = filters
  const { described, shown, column } = combination
  const { has, ...bounds } = combination.bounds
  const asked = mergeQueries(bounds, filtersOf(combination), shown)
  const rowsOf = async (fetch: Asking, query: Query) => rowsLike(window, await fetch(query))
  const wantedRows = async (fetch: Asking, isFirst: boolean) => {
    // At first what the window shows will do: a file of these bounds is fetched where it will not.
    const whole = isFirst && has ? await rowsOf(fetch, spanOf(window)) : undefined
    const rows = whole && has ? from(whole.filter(has), whole) : await rowsOf(fetch, bounds)
    const through = (set: FilterSet) => from(rowsThrough(window, set, rows), rows)
    if (isFirst) return through(combination.filter)
    if (isOfMany(combination))
      return through(await askedAlone(combination, window, (query) => rowsOf(fetch, query)))
    // Two filters in the whole window are judged elsewhere; more stand against each alone.
    const inWindow = mergeQueries(spanOf(window), filtersOf(combination))
    const events = multisetOf(await rowsOf(fetch, inWindow), window.columns)
    return from(rowsAmong(window, rows, [events]), rows)
  }
  return confirmed(exports, window, async (fetch, port) => {
    const plain = await wantedRows(fetch, port !== exports.fresh)
    if (combination.fileType === 'csv') {
      const found = await fetch(asked)
      const rows = rowsLike(window, found)
      // Columns may be left out, and in another language nobody knows by which titles the others go.
      if (rows.length === 0 && found.length > 0)
        throw new NotDecidable(
          'freedom',
          `the ${described} has other columns than the window; which fields a file shows is not shown`,
        )
      const problems = problemsOfOtherEvents(`in the ${described}`, window, plain, rows)
      if (problems.length === 0 && column)
        return problemsOfUnzonedTimes(described, column, { plain, rows })
      // What is wanted was chosen from files of more events: no other file has as many.
      const holds = `n(a) - ${linesOf(window)} === ${plain.length}`
      return problems.map((each) => (each.again ? { ...each, again: { holds } } : each))
    }
    const found = await port.pdf(asked)
    const all = rowsLike(window, await fetch(spanOf(window)))
    if (!identity) throw new Error('a PDF is judged by what tells its events apart')
    return problemsOfShown(described, found, { wanted: plain, all, identity })
  })
}
