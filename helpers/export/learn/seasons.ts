// Events of two seasons: daylight saving changes the offset of a zone.

import { distinct } from '../../../engine/distinct.ts'
import { day, hour, instantAt, isoOf, offsetAt } from '../../../engine/files/dates.ts'
import type { Exports } from '../ask/exports.ts'
import { countUpTo, narrowSpan } from './few-events.ts'
import type { Span } from './spans.ts'
import type { TimeColumn } from './time-column.ts'
import type { Window } from './window.ts'

/** Ranges with few events each, and the day of one event; `isBoth`: in summer and in winter. */
export type Seasons = { spans: [Span, ...Span[]]; isBoth: boolean; date: string }

/** Why a single season is not a pass, and what would show the other. */
export const noOtherSeason =
  'no event of another season was found; set EXPORT_FROM and EXPORT_TO to a window that contains events in January and in July'

/** Zones that change their offsets on different days. */
const seasonal = ['America/New_York', 'Europe/Berlin']
const maxTimes = 20

export async function findSeasons(
  exports: Exports,
  window: Window,
  few: Span,
  column: TimeColumn | undefined,
): Promise<Seasons> {
  const shown = distinct(column?.times ?? [])
  const ofFew = shown.filter((time) => isIn(few, time))
  const here = ofFew[0] ?? instantAt(few.start)
  const date = isoOf(here).slice(0, 10)
  const isOther = (there: bigint) =>
    seasonal.every((zone) => offsetAt(zone, here) !== offsetAt(zone, there))
  if (ofFew.some(isOther)) return { spans: [few], isBoth: true, date }

  const others = shown.filter(isOther).slice(0, maxTimes)
  for (const span of [...spanAround(others, column), ...spansBefore(here, isOther)]) {
    if ((await countUpTo(1, exports, window, span)) === 0) continue
    return { spans: [few, await narrowSpan(exports, window, span)], isBoth: true, date }
  }
  return { spans: [few], isBoth: false, date }
}

const isIn = ({ start, end }: Span, time: bigint) =>
  time >= instantAt(start) && time <= instantAt(end)

/** A shown time is truncated or rounded by less than its unit. */
function spanAround(times: readonly bigint[], column: TimeColumn | undefined): Span[] {
  const [first, last] = [times[0], times.at(-1)]
  if (first === undefined || last === undefined || !column) return []
  return [{ start: isoOf(first - column.unit), end: isoOf(last + column.unit) }]
}

/** Half a year before, and right before the last change: a trail may start soon before that. */
function spansBefore(here: bigint, isOther: (there: bigint) => boolean): Span[] {
  const reaches = [1n, 24n, 7n * 24n, 30n * 24n].map((hours) => hours * hour)
  const around = (centre: bigint) => reaches.map((reach) => [centre - reach, centre + reach])
  const lastDay = daysBack.map((days) => here - days * day).find(isOther)
  const ends = [
    ...around(here - 182n * day),
    ...(lastDay === undefined ? [] : reaches.map((reach) => [lastDay - reach, lastDay])),
    ...around(here - 273n * day),
  ]
  return (
    ends
      // If offsets change within a range, its events may be of either season.
      .filter((both) => both.every(isOther))
      .map(([start = here, end = here]) => ({ start: isoOf(start), end: isoOf(end) }))
  )
}

const daysBack = Array.from({ length: 365 }, (_, days) => BigInt(days + 1))
