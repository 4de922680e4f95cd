// Whether a time zone shifts the bounds of a range, tested with windows of under a second.

import { distinct } from '../../../engine/distinct.ts'
import {
  day,
  instantAt,
  isoOf,
  millisecond,
  offsetAt,
  second,
} from '../../../engine/files/dates.ts'
import { NotDecidable, type Why } from '../../../engine/outcome.ts'
import { type Problem, problem } from '../../../engine/problem.ts'
import type { Query } from '../ask/query.ts'
import { ask, type Dialogue, ifDecided } from '../learn/confirmed.ts'
import { type Ranges, unlessUndecided } from '../learn/ranges.ts'
import type { Span } from '../learn/spans.ts'
import type { Times } from '../learn/time-column.ts'
import { eventRows, type Window } from '../learn/window.ts'

/** The number of equal results for a breach, and for a pass. */
const [minWindows, enoughKept] = [3, 2]

type ZoneBoundsQuestion = {
  window: Window
  /** requests UTC, if the service accepts that */
  utc: Query
  /** where events are likely; later lists are used if earlier ones give nothing */
  places: readonly (readonly Span[])[]
  zones: readonly string[]
}

/** Whether a range holds any event; undefined if it is refused. */
type Holds = (span: Span) => Dialogue<boolean | undefined>

/**
 * A short window with events, and one of another day without: where their files differ in UTC, they differ in every
 * zone. Compares whole files without digits, because titles may show the range.
 */
export function* problemsOfZoneBounds(asked: ZoneBoundsQuestion): Dialogue<Problem[]> {
  const { window, utc, places, zones } = asked
  const recordsOf = (query: Query) => ifDecided(ask(({ fetch }) => fetch(query)))
  const holdsIn = (zone: Query): Holds =>
    function* holds(span) {
      const records = yield* recordsOf({ ...span, ...zone })
      return records && eventRows(window, records).length > 0
    }
  const holds = holdsIn(utc)
  const kept = new Set<Span>()
  /** zones that refuse short windows, and zones whose files show no difference */
  const [refused, unclear] = [new Set<string>(), new Set<string>()]
  const broken = new Map<string, Problem[]>()

  /** The files of two windows, and whether they are equal except for digits; undefined if one is refused. */
  function* compared(one: Span, other: Span, zone: Query) {
    const files = [yield* recordsOf({ ...one, ...zone }), yield* recordsOf({ ...other, ...zone })]
    const [text, same] = files.map((each) => each && JSON.stringify(each).replace(/\d+/g, '0'))
    return text && same ? { isSame: text === same, files: files as string[][][] } : undefined
  }
  function* judgeIn(timezone: string, span: Span, empty: Span): Dialogue<void> {
    const inUtc = yield* compared(span, empty, utc)
    if (!inUtc || inUtc.isSame) return
    const inZone = yield* compared(span, empty, { timezone })
    if (!inZone) refused.add(timezone)
    else if (inZone.isSame) {
      const sentence = `no event from ${span.start} to ${span.end} in ${timezone}, and some in UTC`
      const seen = { judged: inZone.files, control: inUtc.files }
      const found = problem(sentence, { expected: 'the events in UTC', got: 'no event', ...seen })
      broken.set(timezone, [...(broken.get(timezone) ?? []), found])
      // Files that differ in their days alone show nothing.
    } else if (yield* holdsIn({ timezone })(span)) kept.add(span)
    else unclear.add(timezone)
  }
  function* judgeAt(place: Span): Dialogue<void> {
    const span = yield* shorten(holds, place)
    const empty = span && (yield* emptyBeside(holds, span))
    for (const zone of span && empty ? zones : [])
      if (span && empty && (yield* isAlone(holds, span, zone))) yield* judgeIn(zone, span, empty)
  }
  const mostBroken = () =>
    [...broken.values()].reduce((most, each) => (each.length > most.length ? each : most), [])
  const isOpen = () => {
    const { length } = mostBroken()
    return length < minWindows && (length > 0 || kept.size < enoughKept)
  }
  for (const likely of places) {
    if (kept.size > 0 || broken.size > 0) break
    for (const place of likely) if (isOpen()) yield* judgeAt(place)
  }
  const problems = mostBroken()
  if (problems.length >= minWindows || (kept.size > 0 && problems.length === 0)) return problems
  throw new NotDecidable(...whyOpen(problems, [...refused], [...unclear]))
}

/** Whether the offset of a zone, in either direction, shifts a window to where no event is. */
function* isAlone(holds: Holds, span: Span, zone: string): Dialogue<boolean> {
  const offset = offsetAt(zone, instantAt(span.start))
  for (const by of [offset, -offset])
    if (by !== 0n && (yield* holds(movedSpan(span, by))) !== false) return false
  return true
}

const daysNearby = [1n, -1n, 2n, -2n, 3n, -3n]

function* emptyBeside(holds: Holds, span: Span): Dialogue<Span | undefined> {
  for (const count of daysNearby) {
    const empty = movedSpan(span, count * day)
    if ((yield* holds(empty)) === false) return empty
  }
  return undefined
}

function whyOpen(
  [first]: readonly Problem[],
  refused: readonly string[],
  unclear: readonly string[],
): Why {
  if (first)
    return ['data', `${first.sentence}; events at ${minWindows} times like this are needed`]
  const tooShort = `windows of under a second are rejected in ${refused.join(' and ')}; the contract does not list every invalid export`
  const unseen = `which lines of a file are events cannot be seen in ${unclear.join(' and ')}; the contract does not specify its fields`
  if (refused.length + unclear.length > 0)
    return ['freedom', refused.length > 0 ? tooShort : unseen]
  return [
    'data',
    'no event is alone in its second with no other at the distance of a time zone; such an event is needed',
  ]
}

const maxPlaces = 12
/** An order that spreads over all places from the start. */
const order = [2, 9, 6, 11, 4, 0, 7, 3, 10, 1, 8, 5]
/** Truncated to whole seconds, a range this long still covers most of its time. */
const reach = 450n * millisecond

/** Ranges with likely events: around the times in the file, and of another season; then parts of the window. */
export async function placesOfEvents(ranges: Ranges, window: Window): Promise<Span[][]> {
  const times = await ranges.times().catch(unlessUndecided)
  const [from, length] = [instantAt(window.start), lengthOf(window)]
  const at = (part: number) => isoOf(from + (length * BigInt(part)) / BigInt(maxPlaces))
  const parts = order.map((part) => ({ start: at(part), end: at(part + 1) }))
  return times ? [await placesShown(ranges, window, times), parts] : [parts]
}

async function placesShown(
  { exports, seasons }: Ranges,
  window: Window,
  { columns: [column], utc }: Times,
): Promise<Span[]> {
  // The zone of the times is unknown.
  if (!column.inUtc) return []
  const [, other] = (await seasons()).spans
  const { csv } = other ? await exports.csv({ ...other, ...utc }) : {}
  const rows = eventRows(window, csv?.records ?? [])
  // A shown time is truncated or rounded by less than its unit.
  const near = column.unit <= millisecond ? reach : column.unit
  const placesOf = (times: readonly bigint[]) =>
    spread(distinct(times)).map((time) => ({ start: isoOf(time - near), end: isoOf(time + near) }))
  const [here, there] = [
    placesOf(column.times),
    placesOf(rows.flatMap((row) => column.timeIn(row) ?? [])),
  ]
  // Every third place is of the other season.
  return here.flatMap((place, n) => (n % 2 === 1 ? [place, ...there.splice(0, 1)] : [place]))
}

/** A few of many, far apart from the start. */
const spread = <T>(all: readonly T[]): T[] =>
  all.length <= maxPlaces
    ? [...all]
    : order.flatMap((place) => all[Math.floor(((place + 0.5) * all.length) / maxPlaces)] ?? [])

/** Halves a range with events to under a second, or to two if bounds are truncated. */
function* shorten(holds: Holds, place: Span): Dialogue<Span | undefined> {
  let span = place
  let isKnown = false
  while (lengthOf(span) >= second) {
    const middle = isoOf((instantAt(span.start) + instantAt(span.end)) / 2n)
    const [first, other] = [
      { ...span, end: middle },
      { ...span, start: middle },
    ]
    const half = (yield* holds(first)) ? first : (yield* holds(other)) ? other : undefined
    if (!half) return isKnown && lengthOf(span) <= 2n * second ? span : undefined
    span = half
    isKnown = true
  }
  return isKnown || (yield* holds(span)) ? span : undefined
}

const lengthOf = ({ start, end }: Span): bigint => instantAt(end) - instantAt(start)

const movedSpan = ({ start, end }: Span, by: bigint): Span => ({
  start: isoOf(instantAt(start) + by),
  end: isoOf(instantAt(end) + by),
})
