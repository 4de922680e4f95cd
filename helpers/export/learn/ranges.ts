import { distinct } from '../../../engine/distinct.ts'
import { day, hour, instantAt, isoOf, millisecond, offsetAt } from '../../../engine/files/dates.ts'
import { NotDecidable } from '../../../engine/outcome.ts'
import type { Exports } from '../ask/exports.ts'
import type { Span } from '../ask/query.ts'
import type { Searched } from './spans.ts'
import { isIn, learnTimes, type TimeColumn } from './time-column.ts'
import { findWindow, rowsSeen, type Window } from './window.ts'

export type Ranges = ReturnType<typeof createRanges>

export function createRanges(exports: Exports, searched: Searched) {
  const find = (at: Exports) => findWindow(at, searched)
  /** The given `window`, for a clause that judges something before it needs the window. */
  const window = () => find(exports)
  const times = () =>
    exports.once('time column', async (inner) => learnTimes(inner, await find(inner)))
  const few = () =>
    exports.once('few events', async (inner) => {
      const window = await find(inner)
      return narrowSpan(inner, window, window)
    })
  const seasons = () =>
    exports.once('seasons', async (inner) => {
      const shown = await times().catch(unlessUndecided)
      return findSeasons(inner, await find(inner), await few(), shown?.columns[0])
    })
  return {
    exports,
    window,
    times,
    few,
    seasons,
    /** times within the window with events on both sides, and at them if known */
    cuts: async (): Promise<string[]> => {
      const shown = await times().catch(unlessUndecided)
      if (!shown) return Object.values(await few())
      const sorted = distinct(shown.columns[0].times)
      const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0n
      // The first and last day of a month may be misread as more, or less, than a day.
      const on = (date: number) =>
        middleOf(sorted.slice(1, -1).filter((time) => dateOf(time) === date))
      return distinct([at(1 / 4), on(1) ?? at(1 / 2), on(31) ?? at(3 / 4)]).map(isoOf)
    },
  }
}

const middleOf = <T>(list: readonly T[]): T | undefined => list[list.length >> 1]

const dateOf = (time: bigint): number => new Date(Number(time / millisecond)).getUTCDate()

export function unlessUndecided(error: unknown): undefined {
  if (!(error instanceof NotDecidable)) throw error
}

const minEvents = 10
const maxEvents = 60

async function narrowSpan(exports: Exports, window: Window, span: Span): Promise<Span> {
  // Parts of the window are no longer than what other clauses read and share.
  const isWithin = isIn(window, instantAt(span.start)) && isIn(window, instantAt(span.end))
  const countIn = async (part: Span) =>
    isWithin
      ? rowsSeen(window, (await exports.csv(part)).csv).length
      : countUpTo(maxEvents + 1, exports, window, part)
  let { start, end } = span
  let events = await countIn({ start, end })
  for (let step = 0; events > maxEvents && step < 24; step += 1) {
    const middle = isoOf((instantAt(start) + instantAt(end)) / 2n)
    const found = await countIn({ start, end: middle })
    if (found >= minEvents) end = middle
    else start = middle
    events = found >= minEvents ? found : await countIn({ start, end })
  }
  return { start, end }
}

async function countUpTo(events: number, exports: Exports, window: Window, span: Span) {
  const read = events + window.lines.before + window.lines.behind
  return rowsSeen(window, (await exports.csv(span, { read })).csv).length
}

/** Ranges with few events each, and the day of one event; `isBoth`: in summer and in winter. */
type Seasons = { spans: [Span, ...Span[]]; isBoth: boolean; date: string }

/** Why a single season is not a pass, and what would show the other. */
export const noOtherSeason =
  'no event of another season was found; set EXPORT_FROM and EXPORT_TO to a window that contains events in January and in July'

/** Zones that change their offsets on different days. */
const seasonal = ['America/New_York', 'Europe/Berlin']
const maxTimes = 20

async function findSeasons(
  exports: Exports,
  window: Window,
  few: Span,
  column: TimeColumn | undefined,
): Promise<Seasons> {
  const times = distinct(column?.times ?? [])
  const timesOfFew = times.filter((time) => isIn(few, time))
  const here = timesOfFew[0] ?? instantAt(few.start)
  const date = isoOf(here).slice(0, 10)
  const isOther = inOtherSeasonThan(here)
  if (timesOfFew.some(isOther)) return { spans: [few], isBoth: true, date }

  const others = times.filter(isOther).slice(0, maxTimes)
  for (const span of [...spanAround(others, column), ...spansBefore(here, isOther)]) {
    if ((await countUpTo(1, exports, window, span)) === 0) continue
    return { spans: [few, await narrowSpan(exports, window, span)], isBoth: true, date }
  }
  return { spans: [few], isBoth: false, date }
}

function inOtherSeasonThan(here: bigint): (there: bigint) => boolean {
  // Between their changes no time is of the other season in both zones.
  const isBetweenChanges =
    offsetAt('Europe/Berlin', here) - offsetAt('America/New_York', here) !== 6n * hour
  return (there) => {
    const isOtherIn = (zone: string) => offsetAt(zone, here) !== offsetAt(zone, there)
    return isBetweenChanges ? seasonal.some(isOtherIn) : seasonal.every(isOtherIn)
  }
}

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
