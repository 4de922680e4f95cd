// Whether a time zone moves the bounds of a range, judged by windows of under a second.

import { day, instantAt, offsetAt, second } from '../../../../engine/files/dates.ts'
import { NotDecidable } from '../../../../engine/outcome.ts'
import { type Problem, problem } from '../../../../engine/problem.ts'
import type { Query } from '../../ask/query.ts'
import type { Clock } from '../../ask/recent-hour.ts'
import type { Fetch } from '../../learn/confirmed.ts'
import { unlessUndecided } from '../../learn/ranges.ts'
import {
  createHolds,
  type Holds,
  movedSpan,
  onDay,
  quietDays,
  shorten,
} from '../../learn/short-windows.ts'
import type { Span } from '../../learn/spans.ts'
import type { Window } from '../../learn/window.ts'

/** So many windows show the same before it is a breach, and so many before it is none. */
const [minWindows, enoughKept] = [3, 2]
const daysNearby = [1n, -1n, 2n, -2n, 3n, -3n]
/** Beside a short window, and around it once one bound is moved by hours. */
const besides = [3n * second, -3n * second]

type Asked = {
  fetch: Fetch
  clock: Clock
  window: Window
  /** asks in UTC, where the service accepts that */
  utc: Query
  /** where events are likely: each of the lists where those before found none */
  places: readonly (readonly Span[])[]
  zones: readonly string[]
}

/** What is wrong with the bounds in a zone, and the windows that were as in UTC. */
export type ZoneBounds = { kept: Span[]; problems: Problem[] }

/**
 * Asks in UTC and in zones for a short window that holds events, for those beside it that hold none,
 * and for one of a quiet day with the same length and time of day. Whole files are compared, but for
 * their digits: titles may show the range.
 */
export async function judgeZoneBounds(asked: Asked): Promise<ZoneBounds> {
  const { window, utc, places, zones } = asked
  const textIn = async (span: Span, query: Query) => {
    const records = await asked.fetch({ ...span, ...query }).catch(unlessUndecided)
    return records && { text: JSON.stringify(records).replace(/\d+/g, '0'), records }
  }
  const isSame = (one: File | undefined, other: File | undefined) => one?.text === other?.text
  const holds = createHolds((span) => asked.fetch({ ...span, ...utc }), window)
  const quiet = await quietDays(holds, asked.clock, 2)
  const { kept, refused, unclear, broken, count } = createFindings()

  const judgeEvents = async (span: Span, empty: Span, timezone: string): Promise<Finding> => {
    const inUtc = await Promise.all([textIn(span, utc), textIn(empty, utc)])
    if (isSame(...inUtc)) return undefined
    const both = [span, empty].map((each) => textIn(each, { timezone }))
    const [found, none] = await Promise.all(both)
    const inZone = createHolds((each) => asked.fetch({ ...each, timezone }), window)
    if (found === undefined || none === undefined) return () => refused.add(timezone)
    if (!isSame(found, none)) {
      // Files that differ by their days alone show nothing.
      const isIn = await inZone(span)
      return () => (isIn ? kept.add(span) : unclear.add(timezone))
    }
    const wrong = problem(`no event ${describeSpan(span)} in ${timezone}, and some in UTC`, {
      expected: 'the events in UTC',
      got: 'no event',
      judged: [found.records, none.records],
      control: inUtc.map((file) => file?.records),
    })
    return () => count(timezone, wrong)
  }

  /** A window that holds none in UTC and some in a zone: there one bound is another. */
  const judgeBeside = async (span: Span, timezone: string): Promise<Finding> => {
    const [one, other] = quiet.map((date) => onDay(span, date))
    if (!one || !other || (await holds(span)) !== false) return undefined
    const inUtc = await Promise.all([textIn(span, utc), textIn(one, utc)])
    if (!isSame(...inUtc)) return undefined
    const both = [span, one].map((each) => textIn(each, { timezone }))
    const [found, none] = await Promise.all(both)
    if (found === undefined || none === undefined || isSame(found, none)) return undefined
    // Files without events that differ by their days say nothing of events.
    if (!isSame(none, await textIn(other, { timezone }))) return undefined
    const wrong = problem(`events ${describeSpan(span)} in ${timezone}, and none in UTC`, {
      expected: 'no event, as in UTC',
      got: 'events',
      judged: found.records,
      control: [none.records, ...inUtc.map((file) => file?.records)],
    })
    return () => count(`beside ${timezone}`, wrong)
  }

  /** Whether more windows can tell more. */
  const isOpen = () => {
    const most = Math.max(0, ...[...broken.values()].map(({ length }) => length))
    return most < minWindows && (most > 0 || kept.size < enoughKept)
  }
  const judgeAt = async (place: Span) => {
    const span = await shorten(holds, place)
    if (!span) return
    const isWanted = kept.size === 0 || broken.size > 0
    const within = async (zone: string) => {
      const empty = await findEmpty(holds, span, quiet[0], zone)
      const isTold = empty && (await isAlone(holds, span, zone))
      return isTold ? judgeEvents(span, empty, zone) : undefined
    }
    const beside = isWanted ? besides.map((by) => movedSpan(span, by)) : []
    const findings = await Promise.all(
      zones.flatMap((zone) => [within(zone), ...beside.map((each) => judgeBeside(each, zone))]),
    )
    // In the order of the zones, whichever was answered first.
    for (const note of findings) note?.()
  }
  for (const likely of places) {
    if (kept.size > 0 || broken.size > 0) break
    for (const place of likely) if (isOpen()) await judgeAt(place)
  }
  const [problems = []] = [...broken.values()].sort((a, b) => b.length - a.length)
  if (problems.length >= minWindows || (kept.size > 0 && problems.length === 0))
    return { kept: [...kept], problems }
  throw new NotDecidable(...whyOpen(problems, [...refused], [...unclear]))
}

/** Writes down what a window showed, if it showed anything. */
type Finding = (() => void) | undefined

/** A file without its digits, and the records that it was made of. */
type File = { text: string; records: string[][] }

function createFindings() {
  const broken = new Map<string, Problem[]>()
  return {
    kept: new Set<Span>(),
    /** zones in which short windows are refused, and in which files of them show no event */
    refused: new Set<string>(),
    unclear: new Set<string>(),
    /** what windows showed, by what they have in common */
    broken,
    count: (what: string, found: Problem) => {
      broken.set(what, [...(broken.get(what) ?? []), found])
    },
  }
}

/** Whether the offset of a zone, added or taken away, moves a window to where no event is. */
async function isAlone(holds: Holds, span: Span, zone: string): Promise<boolean> {
  const offset = offsetAt(zone, instantAt(span.start))
  for (const by of [offset, -offset])
    if (by !== 0n && (await holds(movedSpan(span, by))) !== false) return false
  return true
}

/** A window without events, as long and at the same time of day; of a quiet day where there is one. */
async function findEmpty(holds: Holds, span: Span, quiet: string | undefined, zone: string) {
  if (quiet !== undefined) return onDay(span, quiet)
  for (const count of daysNearby) {
    const empty = movedSpan(span, count * day)
    if ((await holds(empty)) === false && (await isAlone(holds, empty, zone))) return empty
  }
  return undefined
}

const whyOpen = (
  [first]: readonly Problem[],
  refused: readonly string[],
  unclear: readonly string[],
): ConstructorParameters<typeof NotDecidable> => {
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

const describeSpan = ({ start, end }: Span) => `from ${start} to ${end}`
