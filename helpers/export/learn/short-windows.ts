// Windows of under a second with events, and days without any.

import { distinct } from '../../../engine/distinct.ts'
import { day, hour, instantAt, isoOf, millisecond, second } from '../../../engine/files/dates.ts'
import type { Clock } from '../ask/recent-hour.ts'
import { type Ranges, unlessUndecided } from './ranges.ts'
import { farFuture, type Span } from './spans.ts'
import type { TimeColumn, Times } from './time-column.ts'
import { eventRows, type Window } from './window.ts'

/** Whether a range holds any event; undefined if it is refused. */
export type Holds<Question> = (span: Span) => Generator<Question, boolean | undefined, unknown>

const maxPlaces = 12
/** An order that spreads over all places from the start. */
const order = [2, 9, 6, 11, 4, 0, 7, 3, 10, 1, 8, 5]
/** Truncated to whole seconds, a range this long still covers most of its time. */
const reach = 450n * millisecond

/**
 * Ranges with likely events: around the times in the file, in the window and in another season; failing
 * that, parts of the window.
 */
export async function placesOfEvents(ranges: Ranges, window: Window): Promise<Span[][]> {
  const times = await ranges.times().catch(unlessUndecided)
  const parts = spread(partsOf(window))
  return times ? [await placesShown(ranges, window, times), parts] : [parts]
}

async function placesShown(ranges: Ranges, window: Window, times: Times): Promise<Span[]> {
  const [column] = times.columns
  // The zone of the times is unknown.
  if (!column.inUtc) return []
  const here = spread(distinct(column.times)).map((time) => around(time, column))
  const there = spread(await timesOfOtherSeason(ranges, window, times)).map((time) =>
    around(time, column),
  )
  // Every third place is of the other season.
  return here.flatMap((place, n) => (n % 2 === 1 ? [place, ...there.splice(0, 1)] : [place]))
}

async function timesOfOtherSeason({ exports, seasons }: Ranges, window: Window, times: Times) {
  const {
    spans: [, other],
  } = await seasons()
  if (!other) return []
  const { csv } = await exports.csv({ ...other, ...times.utc })
  const rows = eventRows(window, csv?.records ?? [])
  const shown = rows.map((row) => times.columns[0].timeIn(row))
  return distinct(shown.filter((time) => time !== undefined))
}

/** A shown time is truncated or rounded by less than its unit. */
const around = (time: bigint, { unit }: TimeColumn): Span =>
  unit <= millisecond
    ? { start: isoOf(time - reach), end: isoOf(time + reach) }
    : { start: isoOf(time - unit), end: isoOf(time + unit) }

function partsOf({ start, end }: Window): Span[] {
  const [from, length] = [instantAt(start), instantAt(end) - instantAt(start)]
  const at = (part: number) => isoOf(from + (length * BigInt(part)) / BigInt(maxPlaces))
  return Array.from({ length: maxPlaces }, (_, part) => ({ start: at(part), end: at(part + 1) }))
}

/** A few of many, far apart from the start. */
const spread = <T>(all: readonly T[]): T[] => {
  if (all.length <= maxPlaces) return [...all]
  return order.flatMap((place) => {
    const one = all[Math.floor(((place + 0.5) * all.length) / maxPlaces)]
    return one === undefined ? [] : [one]
  })
}

/**
 * Halves a range until it is under a second and still holds events. If bounds are truncated, the shortest
 * such range has one or two seconds.
 */
export function* shorten<Question>(
  holds: Holds<Question>,
  place: Span,
): Generator<Question, Span | undefined, unknown> {
  let span = place
  let isKnown = false
  while (lengthOf(span) >= second) {
    const middle = isoOf((instantAt(span.start) + instantAt(span.end)) / 2n)
    const halves = [
      { start: span.start, end: middle },
      { start: middle, end: span.end },
    ]
    let half: Span | undefined
    for (const each of halves) if (!half && (yield* holds(each))) half = each
    if (!half) return isKnown && lengthOf(span) <= 2n * second ? span : undefined
    span = half
    isKnown = true
  }
  return isKnown || (yield* holds(span)) ? span : undefined
}

const lengthOf = ({ start, end }: Span): bigint => instantAt(end) - instantAt(start)

export const movedSpan = ({ start, end }: Span, by: bigint): Span => ({
  start: isoOf(instantAt(start) + by),
  end: isoOf(instantAt(end) + by),
})

/** Days of other months, as far as zones have kept today's offsets. */
export const farDays = (clock: Clock): string[] => [
  '2000-03-02',
  '2001-08-11',
  ...[1n, 160n].map((days) => isoOf(instantAt(farFuture(clock)) + days * day).slice(0, 10)),
]

/** Days without events, nor a day before or after; far ranges may be refused. */
export function* quietDays<Question>(
  holds: Holds<Question>,
  days: readonly string[],
  maxCount: number,
): Generator<Question, string[], unknown> {
  const quiet: string[] = []
  for (const date of days) {
    if (quiet.length === maxCount) break
    const noon = instantAt(`${date}T12:00:00.000Z`)
    const around = { start: isoOf(noon - 36n * hour), end: isoOf(noon + 36n * hour) }
    if ((yield* holds(around)) === false) quiet.push(date)
  }
  return quiet
}

export const onDay = (span: Span, date: string): Span =>
  movedSpan(span, instantAt(`${date}T00:00:00.000Z`) - (instantAt(span.start) / day) * day)
