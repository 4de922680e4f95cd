import { distinct } from '../../../engine/distinct.ts'
import { day, hour, instantAt, isoOf, offsetAt } from '../../../engine/files/dates.ts'
import { NotDecidable } from '../../../engine/outcome.ts'
import type { Settings } from '../../settings/table.ts'
import type { Exports } from '../ask/exports.ts'
import type { Span } from './spans.ts'
import { learnTimes, type Times } from './time-column.ts'
import { eventRows, findWindow, type Window } from './window.ts'

/** What clauses on ranges, zones and languages stand on, each found out once a run. */
export type Ranges = {
  exports: Exports
  /** the given of that name, for a clause that has something to judge before it needs one */
  window(): Promise<Window>
  /** how the file shows when events were */
  times(): Promise<Times>
  /** a part of the window with enough events to tell and few to fetch */
  few(): Promise<Span>
  /** that part, and one of another season where there are events: summer and winter */
  seasons(): Promise<[Span, ...Span[]]>
  /** times within the window that have events on both sides, and at them where that is known */
  cuts(): Promise<string[]>
}

/** Creates the ranges of a clause, on what the clauses of its run share. */
export function createRanges(exports: Exports, settings: Settings): Ranges {
  const window = () => findWindow(exports, settings)
  const times = () =>
    exports.once('time column', async (inner) =>
      learnTimes(inner, await findWindow(inner, settings)),
    )
  const few = () =>
    exports.once('few events', async (inner) => {
      const window = await findWindow(inner, settings)
      return narrowSpan(inner, window, window)
    })
  const otherSeason = () =>
    exports.once('other season', async (inner) =>
      findOtherSeason(inner, await findWindow(inner, settings), await few()),
    )
  return {
    exports,
    window,
    times,
    few,
    seasons: async () => {
      const other = await otherSeason()
      return other ? [await few(), other] : [await few()]
    },
    cuts: async () => {
      const shown = await times().catch(unlessUndecided)
      if (!shown) return Object.values(await few())
      const sorted = distinct(shown.columns[0].times)
      const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0n
      return [...new Set([1 / 4, 1 / 2, 3 / 4].map(at))].map(isoOf)
    },
  }
}

const minEvents = 10
const maxEvents = 60

/** Halves a span until few of its events are left. */
async function narrowSpan(exports: Exports, window: Window, span: Span): Promise<Span> {
  let { start, end } = span
  let events = await countUpTo(maxEvents + 1, exports, window, span)
  for (let step = 0; events > maxEvents && step < 24; step += 1) {
    const middle = isoOf((instantAt(start) + instantAt(end)) / 2n)
    const found = await countUpTo(maxEvents + 1, exports, window, { start, end: middle })
    if (found >= minEvents) end = middle
    else start = middle
    events =
      found >= minEvents ? found : await countUpTo(maxEvents + 1, exports, window, { start, end })
  }
  return { start, end }
}

async function countUpTo(events: number, exports: Exports, window: Window, span: Span) {
  const read = events + window.lines.before + window.lines.behind
  const { csv } = await exports.csv(span, { read })
  return eventRows(window, csv?.records ?? []).length
}

/** Zones north of the equator that change their offsets at different days. */
const seasonal = ['America/New_York', 'Europe/Berlin']
const partsOfWindow = 8n

/** Events half a year away from a time, or as near to that as the service holds any. */
async function findOtherSeason(
  exports: Exports,
  window: Window,
  { start }: Span,
): Promise<Span | undefined> {
  const here = instantAt(start)
  const isOther = (there: bigint) =>
    seasonal.every((zone) => offsetAt(zone, here) !== offsetAt(zone, there))
  const around = [182n, 91n, 273n]
    .map((days) => here - days * day)
    .filter(isOther)
    .flatMap((centre) =>
      [1n, 24n, 7n * 24n, 30n * 24n].map((hours) => [centre - hours * hour, centre + hours * hour]),
    )
  const from = instantAt(window.start)
  const length = (instantAt(window.end) - from) / partsOfWindow
  const within = Array.from({ length: Number(partsOfWindow) }, (_, part) => {
    const at = from + BigInt(part) * length
    return [at, at + length]
  })
  for (const [first = here, last = here] of [...around, ...within]) {
    // A stretch with a change of offsets in it may have its events in one season or the other.
    if (!isOther(first) || !isOther(last)) continue
    const span = { start: isoOf(first), end: isoOf(last) }
    if ((await countUpTo(1, exports, window, span)) > 0) return narrowSpan(exports, window, span)
  }
  return undefined
}

/** What cannot be had is none; whatever else went wrong stays so. */
export function unlessUndecided(error: unknown): undefined {
  if (!(error instanceof NotDecidable)) throw error
}
