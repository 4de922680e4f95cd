// One bound alone, beside filters.

import { distinct } from '../../../../engine/distinct.ts'
import { isoOf } from '../../../../engine/files/dates.ts'
import {
  intersection,
  type Multiset,
  multisetOf,
  sizeOf,
} from '../../../../engine/files/multiset.ts'
import { NotDecidable } from '../../../../engine/outcome.ts'
import type { Problem } from '../../../../engine/problem.ts'
import { metadataKeys } from '../../../service/operations.ts'
import { describeFilter, filterBy, mergeQueries, type Query } from '../../ask/query.ts'
import type { Filters, Known } from '../../learn/filters.ts'
import { farFuture, farPast } from '../../learn/spans.ts'
import type { Times } from '../../learn/time-column.ts'
import type { Window } from '../../learn/window.ts'
import { isAlike, problemsOfPairs } from './range-relations.ts'

/** Filters that let events of two times and more through, the first and the last of them. */
type Beside = { filter: Query; described: string; first: string; last: string }

/** What is wrong with ranges that have one bound and filters, beside the same with both bounds. */
export async function judgeFilteredBounds(
  filters: Filters,
  window: Window,
  times: Times,
): Promise<{ problems: Problem[]; described: string }> {
  const { exports } = filters
  const { filter, described, first, last } = await needBeside(filters, window, times)
  const problems = await problemsOfPairs(
    exports,
    window,
    [
      { open: { end: first }, closed: { start: farPast, end: first } },
      { open: { start: last }, closed: { start: last, end: farFuture(exports) } },
    ].map(({ open, closed }) => ({
      open: mergeQueries(open, filter),
      closed: mergeQueries(closed, filter),
    })),
    isAlike,
  )
  return { problems, described }
}

/** A key of metadata, and a type of events beside it where some have both: whatever reads filters meets each. */
async function needBeside(filters: Filters, window: Window, times: Times): Promise<Beside> {
  const keys = await Promise.all(metadataKeys.map((key) => filters.known(key)))
  const types = filters.form.settled ? await filters.known('event_type') : []
  const choices = keys.flatMap(([key]) => (key ? [...types.map((type) => [key, type]), [key]] : []))
  const found = choices.flatMap((choice) => {
    const shown = timesOf(choice, window, times)
    const [first, last] = [shown[0], shown.at(-1)]
    if (first === undefined || last === undefined || first === last) return []
    return [{ choice, first, last, count: shown.length }]
  })
  const [best] = found.sort(
    (one, other) => other.choice.length - one.choice.length || other.count - one.count,
  )
  if (!best) throw new NotDecidable(...filters.whyNoValue('entity_id'))
  return {
    filter: mergeQueries(...best.choice.map(({ field, value }) => filterBy(field, value))),
    described: best.choice.map(({ field, value }) => describeFilter(field, value)).join(' and '),
    first: isoOf(best.first),
    last: isoOf(best.last),
  }
}

/** When the events were that each of some values has, in order. */
function timesOf(choice: readonly Known[], window: Window, times: Times): bigint[] {
  const common = choice
    .map(({ events }) => events)
    .reduce((one, other): Multiset => intersection(one, other))
  const [column] = times.columns
  const shown = times.rows.flatMap((row, at) => {
    const isCommon = sizeOf(intersection(multisetOf([row], window.columns), common)) > 0
    return isCommon ? (column.times[at] ?? []) : []
  })
  return distinct(shown).sort((a, b) => (a < b ? -1 : 1))
}
