// One bound alone, beside filters.

import { isoOf } from '../../../../engine/files/dates.ts'
import { multisetOf } from '../../../../engine/files/multiset.ts'
import { NotDecidable } from '../../../../engine/outcome.ts'
import type { Problem } from '../../../../engine/problem.ts'
import { metadataKeys } from '../../../service/operations.ts'
import {
  describeFilter,
  type Field,
  filterBy,
  mergeQueries,
  parameters,
  type Query,
} from '../../ask/query.ts'
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

/**
 * A key of metadata, and a type of events beside it where some have both, and every other filter that leaves
 * events of two times: whatever reads filters meets each.
 */
async function needBeside(filters: Filters, window: Window, times: Times): Promise<Beside> {
  const keys = await Promise.all(metadataKeys.map((key) => filters.known(key)))
  const types = filters.form.settled ? await filters.known('event_type') : []
  const choices = keys.flatMap(([key]) => (key ? [...types.map((type) => [key, type]), [key]] : []))
  const all = timedRows(window, times)
  const [best] = choices
    .map((choice) => ({ choice, left: choice.reduce(among, all) }))
    .filter(({ left }) => hasTwoTimes(left))
    .sort(
      (one, other) =>
        other.choice.length - one.choice.length || other.left.length - one.left.length,
    )
  if (!best) throw new NotDecidable(...(await filters.why(...parameters, ...metadataKeys)))
  let { choice, left } = best
  const fields: Field[] = [...(filters.form.settled ? parameters : []), ...metadataKeys]
  for (const field of fields.filter((each) => choice.every((known) => known.field !== each))) {
    const more = (await filters.known(field)).find((known) => hasTwoTimes(among(left, known)))
    if (more) [choice, left] = [[...choice, more], among(left, more)]
  }
  const shown = left.map(({ time }) => time).sort((a, b) => (a < b ? -1 : 1))
  return {
    filter: mergeQueries(...choice.map(({ field, value }) => filterBy(field, value))),
    described: choice.map(({ field, value }) => describeFilter(field, value)).join(' and '),
    first: isoOf(shown[0] as bigint),
    last: isoOf(shown.at(-1) as bigint),
  }
}

/** A row of the window by what tells it from others, and when its event was. */
type Timed = { key: string; time: bigint }

const timedRows = ({ columns }: Window, { rows, columns: [column] }: Times): Timed[] =>
  rows.flatMap((row, at) => {
    const [key] = multisetOf([row], columns).keys()
    const time = column.times[at]
    return key === undefined || time === undefined ? [] : [{ key, time }]
  })

const among = (rows: Timed[], { events }: Known): Timed[] =>
  rows.filter(({ key }) => (events.get(key) ?? 0) > 0)

const hasTwoTimes = (rows: Timed[]): boolean => new Set(rows.map(({ time }) => time)).size > 1
