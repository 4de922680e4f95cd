// Filters together with a format, a zone, a language and bounds: chosen so that every two meet.

import { type Identity, isOfIds } from '../../../../engine/files/identity.ts'
import { type Multiset, multisetOf } from '../../../../engine/files/multiset.ts'
import { describeAnswer, isRefused } from '../../../../engine/http/answers.ts'
import type { Downloaded } from '../../../../engine/http/client.ts'
import { from } from '../../../../engine/origin.ts'
import { NotDecidable } from '../../../../engine/outcome.ts'
import { pairwise } from '../../../../engine/pairs.ts'
import type { Problem } from '../../../../engine/problem.ts'
import { type Faker, randomFor } from '../../../../engine/random.ts'
import { needDecidable } from '../../ask/decidable.ts'
import { filterBy, mergeQueries, type Query } from '../../ask/query.ts'
import { confirmed } from '../../learn/confirmed.ts'
import type { Filters } from '../../learn/filters.ts'
import type { Ranges } from '../../learn/ranges.ts'
import { rowsLike, spanOf, type Window } from '../../learn/window.ts'
import { problemsOfOtherEvents } from '../same-file.ts'
import { acceptedLanguages, acceptedValues } from '../zones-and-locales.ts'
import { broadestOf, type FilterSet, filterSets } from './filter-sets.ts'
import { problemsOfShown } from './pdf-parts.ts'

/** One request of those that are chosen. */
export type Combination = {
  fileType: 'csv' | 'pdf'
  filter: FilterSet
  /** zone and language, where there are any */
  shown: Pick<Query, 'timezone' | 'locale'>
  bounds: { start: string; end: string }
  described: string
}

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
    const cuts = await ranges.cuts()
    const parts = {
      whole: spanOf(window),
      part: { start: cuts[0] ?? window.start, end: window.end },
    }
    const rows = pairwise(
      {
        fileType: ['csv', 'pdf'],
        filter: sets.map((_, at) => `${at}`),
        zone: [leftOut, ...(zone ? [zone] : [])],
        language: [leftOut, ...(language ? [language] : [])],
        bounds: ['whole', 'part'],
      },
      randomFor(seed, 'combinations') as Faker,
    )
    // A mistake of the range shows where events lie close together: with what keeps most of them.
    const filter = `${sets.indexOf(broadestOf(sets))}`
    for (const fileType of zone ? (['csv', 'pdf'] as const) : [])
      rows.push({ fileType, filter, zone: zone ?? leftOut, language: leftOut, bounds: 'part' })
    return rows.map((row): Combination => {
      const filter = sets[Number(row.filter)] as FilterSet
      const timezone = row.zone === leftOut ? {} : { timezone: row.zone }
      const locale = row.language === leftOut ? {} : { locale: row.language }
      const shown = { ...timezone, ...locale }
      const bounds = parts[row.bounds as keyof typeof parts]
      const said = [...Object.values(shown), ...(row.bounds === 'part' ? ['a part'] : [])]
      const described = [`${row.fileType} for ${filter.described}`, ...said].join(', ')
      return { fileType: row.fileType as 'csv' | 'pdf', filter, shown, bounds, described }
    })
  })

/** In which zone and language a request asks for a file. */
export const describeShown = (shown: Combination['shown']): string =>
  Object.values(shown).join(' and ') || 'left out'

const queryOf = ({ filter, shown, bounds }: Combination, form: 'asked' | 'plain'): Query =>
  mergeQueries(
    bounds,
    ...filter.values.map((each) =>
      filterBy(each[0]?.field ?? 'tag', ...each.map(({ value }) => value)),
    ),
    form === 'asked' ? shown : {},
  )

/** The rows of a range that the filters let through, by what each value gave alone. */
function expectedRows(window: Window, { filter }: Combination, rows: string[][]): string[][] {
  const keyed = rows.map((row) => ({ row, key: [...multisetOf([row], window.columns).keys()][0] }))
  const isIn = (events: Multiset, key = '') => (events.get(key) ?? 0) > 0
  const passing = keyed
    .filter(({ key }) =>
      filter.values.every((each) => each.some(({ events }) => isIn(events, key))),
    )
    .map(({ row }) => row)
  return from(passing, rows)
}

type Asking = (query: Query) => Promise<string[][]>

const isOfMany = ({ filter }: Combination) => filter.values.length > 2

/** The same with the events that each of its values alone has now. */
async function askedAlone(
  combination: Combination,
  { columns }: Window,
  rowsOf: (query: Query) => Promise<string[][]>,
): Promise<Combination> {
  const { bounds, filter } = combination
  const values = await Promise.all(
    filter.values.map((each) =>
      Promise.all(
        each.map(async (known) => {
          const query = mergeQueries(bounds, filterBy(known.field, known.value))
          return { ...known, events: multisetOf(await rowsOf(query), columns) }
        }),
      ),
    ),
  )
  return { ...combination, filter: { ...filter, values } }
}

/** A request that need not be accepted: which are invalid is not shown in full. */
function needGiven(answer: Downloaded, described: string): void {
  needDecidable(answer)
  if (isRefused(answer))
    throw new NotDecidable(
      'freedom',
      `${describeAnswer(answer)} to the ${described}; which requests are invalid is not shown in full`,
    )
}

/** Other events in a combination than in the plain CSV of the same filters and range. */
export async function problemsOfCombination(
  combination: Combination,
  filters: Filters,
  window: Window,
  identity: Identity | undefined,
): Promise<Problem[]> {
  const { exports } = filters
  const { described, bounds, shown } = combination
  const asked = queryOf(combination, 'asked')
  let isFirst = true
  const rowsOf = async (fetch: Asking, query: Query) => rowsLike(window, await fetch(query))
  const wantedRows = async (fetch: Asking) => {
    if (isFirst) return expectedRows(window, combination, await rowsOf(fetch, bounds))
    // Two filters without zone and language are judged elsewhere; more stand against each alone.
    if (!isOfMany(combination)) return rowsOf(fetch, queryOf(combination, 'plain'))
    const anew = await askedAlone(combination, window, (query) => rowsOf(fetch, query))
    return expectedRows(window, anew, await rowsOf(fetch, bounds))
  }
  const judge = async (fetch: (query: Query) => Promise<string[][]>): Promise<Problem[]> => {
    const plain = await wantedRows(fetch)
    const fetchPdf = isFirst ? exports.pdf : exports.pdfAnew
    isFirst = false
    if (combination.fileType === 'csv')
      return problemsOfOtherEvents(
        `in the ${described}`,
        window,
        plain,
        rowsLike(window, await fetch(asked)),
      )
    const found = await fetchPdf(asked)
    needGiven(found.answer, described)
    const all = rowsLike(window, await fetch(spanOf(window)))
    const telling = needTelling(identity, all, shown)
    return problemsOfShown(described, found, { wanted: plain, all, identity: telling })
  }
  if (combination.fileType === 'csv') needGiven((await exports.csv(asked)).answer, described)
  return confirmed(exports, window, judge)
}

/** What is written in another way in each zone and language tells no event there. */
function needTelling(
  identity: Identity | undefined,
  rows: string[][],
  shown: Combination['shown'],
): Identity {
  const isId = identity && isOfIds(rows, identity)
  if (identity && (isId || Object.keys(shown).length === 0)) return identity
  throw new NotDecidable(
    'freedom',
    'no id identifies the events of a PDF; which fields a file shows is not shown',
  )
}
