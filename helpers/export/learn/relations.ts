// Relations between sets of events: what they must and may have in common.

import { counted } from '../../../engine/counted.ts'
import {
  firstRowIn,
  intersection,
  type Multiset,
  minus,
  multisetOf,
  sizeOf,
} from '../../../engine/files/multiset.ts'
import { from, type Origin } from '../../../engine/origin.ts'
import { type Problem, problemUnless } from '../../../engine/problem.ts'
import { needPermitted } from '../../service/answers.ts'
import type { CsvExport } from '../ask/exports.ts'
import { mergeQueries, type Query } from '../ask/query.ts'
import type { Fetch } from './confirmed.ts'
import { eventRows, rowsLike, spanOf, type Window } from './window.ts'

/** Fetches events of the window: those matching the filters of a query, or all. */
export const createEventFetch =
  (fetch: Fetch, window: Window) =>
  async (...filters: Query[]): Promise<Multiset> =>
    eventsAmong(window, await fetch(mergeQueries(spanOf(window), ...filters)))

export const eventsAmong = (window: Window, rows: string[][]): Multiset =>
  from(multisetOf(rowsLike(window, rows), window.columns), rows)

/** The events of the window in an export; to look, not to judge. */
export function eventsSeen(window: Window, { answer, csv }: CsvExport): Multiset {
  needPermitted(answer)
  const seen = intersection(
    multisetOf(eventRows(window, csv?.records ?? []), window.columns),
    multisetOf(window.rows, window.columns),
  )
  return from(seen, answer)
}

/** The events that must and may be there. */
export type Wanted = {
  least: Multiset
  most: Multiset
  /** the events without the filters, if known */
  all?: Multiset
  control?: Origin
}

/** A set must contain one set and may contain another. */
export function problemsOfEvents(
  what: string,
  found: Multiset,
  { least, most, all = found, control }: Wanted,
): Problem[] {
  const lost = minus(least, found)
  const missing = sizeOf(lost)
  const isThere = [...lost.keys()].every((row) => found.has(row))
  // The filter need not be wrong: events may also be missing without it, or lie outside the range.
  const unshown = minus(found, all)
  const unseen = sizeOf(unshown)
  const others = minus(found, most)
  const strange = sizeOf(others) - unseen
  const [wanted, came] = [sizeOf(least), sizeOf(found)]
  return [
    {
      count: missing,
      sentence: isThere
        ? `has ${missing} of ${events(wanted)} fewer times than expected`
        : `lacks ${missing} of ${events(wanted)}`,
      expected: events(wanted),
      got: events(wanted - missing),
      shown: isThere ? 'a row that comes too few times' : 'a missing event',
      rows: lost,
    },
    {
      count: strange,
      sentence: `has ${events(strange)} beside the ${came - strange} that belong there`,
      expected: events(came - strange),
      got: events(came),
      shown: 'an event that does not belong there',
      rows: minus(others, unshown),
    },
    {
      count: unseen,
      sentence: `has ${events(unseen)}, of ${came}, that the export of the same range without the filter lacks or has less often`,
      expected: events(came - unseen),
      got: events(came),
      shown: 'an event that is not there without the filter',
      rows: unshown,
    },
  ].flatMap(({ count, sentence, expected, got, shown, rows }) => {
    const decides = { [shown]: firstRowIn(rows) }
    const grounds = { expected, got, decides, judged: found, control }
    return problemUnless(count <= 0, `${what} ${sentence}`, grounds)
  })
}

const events = (count: number) => counted(count, 'event')
