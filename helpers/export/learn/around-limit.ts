// Stretches of time with just as many events as one PDF may hold, and with one more.

import { dayMs } from '../../../engine/files/dates.ts'
import { NotDecidable } from '../../../engine/outcome.ts'
import type { Exports } from '../ask/exports.ts'
import type { Query } from '../ask/query.ts'
import { countEvents, type EventCount } from './event-count.ts'
import type { SeenOnce } from './window.ts'

/** A stretch of time and how many events it holds. */
export type Stretch = { start: string; end: string; count: number }

/** Stretches around the limit that begin at one time, found by counting the rows of CSVs. */
export type AroundLimit = {
  /** with as many events as the limit, or the most below it */
  at: Stretch
  /** with one more, or the fewest above it */
  over: Stretch
  /** with about half of them */
  half: Stretch
}

/** Before all events of any service. */
export const earliest = Date.parse('1971-01-02T00:00:00Z')
const maxSteps = 60
const [mostOfPart, maxStepsOfPart] = [0.7, 20]

/** Finds them by bisecting the end of the range; a service with fewer events leaves it undecided. */
export async function findAroundLimit(
  exports: Exports,
  window: SeenOnce,
  limit: number,
): Promise<AroundLimit> {
  const countOf = createCounter(exports, window, limit)
  const { start, whole } = await findStart(countOf, window, limit)
  const { below, above, half } = await bisected(countOf, 'most', { start, whole, limit })
  // What may be no event, or parts of one, is not counted where there are to be too many.
  const over =
    above.least > limit ? above : (await bisected(countOf, 'least', { start, whole, limit })).above
  if (over.least === more)
    throw new NotDecidable(
      'data',
      `more than ${limit / 10} events share the time ${iso(over.time)}; a range with just over ${limit} events is needed`,
    )
  const middle = half ?? (await findPart(countOf, start, below, limit))
  const stretch = (count: 'least' | 'most', point: Point) => ({
    start: iso(start),
    end: iso(point.time),
    count: point[count],
  })
  return {
    at: stretch('most', below),
    over: stretch('least', over),
    half: stretch('most', middle),
  }
}

/** The last point up to which there are no more than the limit, the first beyond it, and one half way. */
async function bisected(
  countOf: CountOf,
  by: 'least' | 'most',
  { start, whole, limit }: { start: number; whole: Point; limit: number },
): Promise<{ below: Point; above: Point; half: Point | undefined }> {
  let below: Point = { time: start - 1, least: 0, most: 0, times: () => [] }
  let above = whole
  let half: Point | undefined
  let lastSpan = above.time - below.time
  let areTimesRight = true
  for (let step = 0; step < maxSteps && above.time - below.time > 1; step += 1) {
    if (below[by] === limit && above[by] === limit + 1) break
    const span = above.time - below.time
    // An estimate that hardly closes in is followed by halving.
    const share =
      step % 2 === 1 && span > lastSpan / 2 ? 0.5 : shareBelow(below[by], above[by], limit)
    lastSpan = span
    const wanted = below[by] === limit ? limit + 1 : limit
    const shown: number = areTimesRight ? timeAfter(wanted, above) : Number.NaN
    const isBetween = shown > below.time && shown < above.time
    const estimate = isBetween ? shown : below.time + span * share
    const time = Math.min(above.time - 1, Math.max(below.time + 1, estimate))
    const found = await countOf(start, Math.round(time))
    if (found.most > 0 && found.most <= limit * mostOfPart) half = nearer(half, found, limit / 2)
    areTimesRight &&= !isBetween || found[by] === wanted
    if (found[by] <= limit) below = found
    else above = found
  }
  return { below, above, half }
}

/** The time after so many events of a file that holds more, as far as it shows their times. */
function timeAfter(count: number, { least, times }: Point): number {
  if (least === more) return Number.NaN
  const [last = Number.NaN, next = Number.NaN] = times().slice(count - 1, count + 1)
  return Math.floor((last + next) / 2)
}

/** Some of the events up to a point, and clearly fewer: in the middle of that time there may be none. */
async function findPart(
  countOf: CountOf,
  start: number,
  below: Point,
  limit: number,
): Promise<Point> {
  let [from, to] = [start, below.time]
  for (let step = 1; ; step += 1) {
    const found = await countOf(start, Math.round((from + to) / 2))
    const isPart = found.most > 0 && found.most <= limit * mostOfPart
    if (isPart || step === maxStepsOfPart) return found
    if (found.most > 0) to = found.time
    else from = found.time
  }
}

function nearer(one: Point | undefined, other: Point, to: number): Point {
  return one && Math.abs(one.most - to) <= Math.abs(other.most - to) ? one : other
}

/** A time, how many events there are up to it, and the file that they were counted in. */
type Point = { time: number; file?: object } & Pick<EventCount, 'least' | 'most' | 'times'>

type CountOf = (start: number, end: number) => Promise<Point>

/** A count that was not read to its end. */
const more = Number.POSITIVE_INFINITY

/** Counts the events from one time to another by the records of a CSV, of which no more is read than needed. */
export function createCounter(
  exports: Exports,
  window: SeenOnce,
  limit: number,
  beside: Query = {},
): CountOf {
  const { lines } = window
  const enough = limit + Math.ceil(limit / 3) + lines.before + lines.behind
  return async (start, end) => {
    const query = { ...beside, start: iso(start), end: iso(end) }
    const first = await countEvents(exports, window, query, enough)
    // Where many of its records may be no events, there may still be fewer events than the limit.
    const found =
      first.cut && first.least <= limit
        ? await countEvents(exports, window, query, enough * 4)
        : first
    const isMore = found.cut && found.least > limit
    if (found.cut && !isMore)
      throw new NotDecidable(
        'freedom',
        `of ${enough * 4} records ${found.least} are surely events; what a record stands for is not shown`,
      )
    const { least, most, times, file } = found
    return { time: end, least: isMore ? more : least, most, times, file }
  }
}

/** Goes back from the window's end until there are more events than the limit. */
async function findStart(
  countOf: CountOf,
  window: SeenOnce,
  limit: number,
): Promise<{ start: number; whole: Point }> {
  const end = Date.parse(window.end)
  const span = Math.max(end - Date.parse(window.start), 1)
  for (let back = (span * limit * 1.1) / window.rows.length; ; back = Math.max(back * 2, dayMs)) {
    const start = Math.max(earliest, Math.round(end - back))
    const whole = await countOf(start, end)
    if (whole.least > limit) return { start, whole }
    if (start === earliest)
      throw new NotDecidable(
        'data',
        `the audit trail holds ${describeCount(whole)} until ${window.end}; more than ${limit} are needed`,
      )
  }
}

/** Records of one time and one id may be parts of an event. */
const describeCount = ({ least, most }: Pick<EventCount, 'least' | 'most'>): string =>
  least < most
    ? `${most} records, ${most - least} of them with the time and id of another,`
    : `${least} events`

/** All events until the window's end, or as many of them as a PDF holds where there are more. */
export async function findMostBelow(
  exports: Exports,
  window: SeenOnce,
  limit: number,
): Promise<Stretch> {
  const countOf = createCounter(exports, window, limit)
  const { time, most } = await countOf(earliest, Date.parse(window.end))
  if (most <= limit) return { start: iso(earliest), end: iso(time), count: most }
  return (await findAroundLimit(exports, window, limit)).at
}

/** Where between two points the limit is likely to be passed, as a share of their distance. */
function shareBelow(below: number, above: number, limit: number): number {
  if (above === more) return 0.5
  const share = (limit + 0.5 - below) / (above - below)
  return Math.min(0.95, Math.max(0.05, share))
}

/** A time in milliseconds as ISO 8601. */
export const iso = (time: number) => new Date(time).toISOString()
