// Whether a time zone shifts the bounds of a range, tested with windows of under a second.

import { day, instantAt, offsetAt, second } from '../../../engine/files/dates.ts'
import { NotDecidable, type Why } from '../../../engine/outcome.ts'
import { type Problem, problem } from '../../../engine/problem.ts'
import type { Query } from '../ask/query.ts'
import type { Clock } from '../ask/recent-hour.ts'
import { farDays, movedSpan, onDay, quietDays, shorten } from '../learn/short-windows.ts'
import type { Span } from '../learn/spans.ts'
import { eventRows, type Window } from '../learn/window.ts'
import { ask, type Dialogue, ifDecided } from './dialogue.ts'

/** The number of equal results for a breach, and for a pass. */
const [minWindows, enoughKept] = [3, 2]
const daysNearby = [1n, -1n, 2n, -2n, 3n, -3n]
/** Before and after a short window; outside it once a bound is shifted by hours. */
const besides = [3n * second, -3n * second]

type ZoneBoundsQuestion = {
  clock: Clock
  window: Window
  /** requests UTC, if the service accepts that */
  utc: Query
  /** where events are likely; later lists are used if earlier ones give nothing */
  places: readonly (readonly Span[])[]
  zones: readonly string[]
}

type AnyHolds = (span: Span) => Dialogue<boolean | undefined>

/**
 * Requests, in UTC and in zones, a short window with events, its neighbours without events, and a window
 * without events of the same length and time of day. Compares whole files without digits, because titles
 * may show the range.
 */
export function* problemsOfZoneBounds(asked: ZoneBoundsQuestion): Dialogue<Problem[]> {
  const { clock, window, utc, places, zones } = asked
  const recordsOf = (query: Query) => ifDecided(ask(({ fetch }) => fetch(query)))
  const holdsIn = (zone: Query) =>
    function* holds(span: Span): Dialogue<boolean | undefined> {
      const records = yield* recordsOf({ ...span, ...zone })
      return records && eventRows(window, records).length > 0
    }
  const holds = holdsIn(utc)
  const quiet = yield* quietDays(holds, yield* ask(async () => farDays(clock)), 2)
  const kept = new Set<Span>()
  /** zones that refuse short windows, and zones whose files show no difference */
  const [refused, unclear] = [new Set<string>(), new Set<string>()]
  /** what windows showed, by what they have in common */
  const broken = new Map<string, Problem[]>()

  /** The files of two windows, and whether they are equal except for digits; undefined if one is refused. */
  const compare = function* comparing(spans: readonly [Span, Span], query: Query) {
    const one = yield* recordsOf({ ...spans[0], ...query })
    const other = yield* recordsOf({ ...spans[1], ...query })
    const textOf = (records: string[][]) => JSON.stringify(records).replace(/\d+/g, '0')
    return one && other && { isSame: textOf(one) === textOf(other), files: [one, other] }
  }

  function* problemsAt(
    span: Span,
    empty: Span | undefined,
    timezone: string,
    isHeld: boolean,
  ): Dialogue<Problem[]> {
    const spans = empty && ([span, empty] as const)
    const inUtc = spans && (yield* compare(spans, utc))
    if (!inUtc || inUtc.isSame === isHeld) return []
    const inZone = yield* compare(spans, { timezone })
    if (!inZone) {
      if (isHeld) refused.add(timezone)
    } else if (inZone.isSame === isHeld) {
      const [what, expected, got] = isHeld
        ? ['no event', 'and some in UTC', 'no event']
        : ['events', 'and none in UTC', 'events']
      const sentence = `${what} from ${span.start} to ${span.end} in ${timezone}, ${expected}`
      const seen = { judged: inZone.files, control: inUtc.files }
      const found = problem(sentence, { expected: 'the events in UTC', got, ...seen })
      const kind = `${isHeld} ${timezone}`
      broken.set(kind, [...(broken.get(kind) ?? []), found])
    } else if (isHeld) {
      // Files that differ in their days alone show nothing.
      if (yield* holdsIn({ timezone })(span)) kept.add(span)
      else unclear.add(timezone)
    }
    return []
  }
  function* judgeBeside(
    span: Span,
    timezone: string,
    [one, other]: readonly (Span | undefined)[],
  ): Dialogue<void> {
    if (!one || !other || (yield* holds(span)) !== false) return
    // If files without events differ by day, they say nothing about events.
    const areSame = (yield* compare([one, other], { timezone }))?.isSame
    if (areSame) yield* problemsAt(span, one, timezone, false)
  }
  function* judgeAt(place: Span): Dialogue<void> {
    const span = yield* shorten(holds, place)
    if (!span) return
    const beside =
      kept.size === 0 || broken.size > 0 ? besides.map((by) => movedSpan(span, by)) : []
    const onQuiet = quiet.map((date) => onDay(span, date))
    for (const zone of zones) {
      const empty = yield* emptyBeside(holds, span, quiet[0], zone)
      const alone = empty && (yield* isAlone(holds, span, zone))
      if (alone) yield* problemsAt(span, empty, zone, true)
      for (const each of beside) yield* judgeBeside(each, zone, onQuiet)
    }
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
function* isAlone(holds: AnyHolds, span: Span, zone: string): Dialogue<boolean> {
  const offset = offsetAt(zone, instantAt(span.start))
  for (const by of [offset, -offset])
    if (by !== 0n && (yield* holds(movedSpan(span, by))) !== false) return false
  return true
}

/** A window without events of the same length and time of day, preferably on a day without any. */
function* emptyBeside(
  holds: AnyHolds,
  span: Span,
  quiet: string | undefined,
  zone: string,
): Dialogue<Span | undefined> {
  if (quiet !== undefined) return onDay(span, quiet)
  for (const count of daysNearby) {
    const empty = movedSpan(span, count * day)
    if ((yield* holds(empty)) === false && (yield* isAlone(holds, empty, zone))) return empty
  }
  return undefined
}

function whyOpen(
  [first]: readonly Problem[],
  refused: readonly string[],
  unclear: readonly string[],
): Why {
  if (first !== undefined)
    return ['data', `${first.sentence}; events at ${minWindows} times like this are needed`]
  if (refused.length > 0)
    return [
      'freedom',
      `windows of under a second are refused in ${refused.join(' and ')}; which exports are refused is not shown in full`,
    ]
  if (unclear.length > 0)
    return [
      'freedom',
      `which lines of a file are events cannot be seen in ${unclear.join(' and ')}; its fields are not shown`,
    ]
  return [
    'data',
    'no event is alone in its second with no other at the distance of a time zone; such an event is needed',
  ]
}
