import { distinct } from '../../../engine/distinct.ts'
import { isoOf, millisecond } from '../../../engine/files/dates.ts'
import { NotDecidable } from '../../../engine/outcome.ts'
import type { Exports } from '../ask/exports.ts'
import { narrowSpan } from './few-events.ts'
import { findWindow } from './find-window.ts'
import { findSeasons, type Seasons } from './seasons.ts'
import type { Searched, Span } from './spans.ts'
import { learnTimes, type Times } from './time-column.ts'
import type { Window } from './window.ts'

export type Ranges = {
  exports: Exports
  /** the given of that name, for a clause that judges something before it needs the window */
  window(): Promise<Window>
  times(): Promise<Times>
  /** a part of the window with a useful and small number of events */
  few(): Promise<Span>
  /** that part, and one of another season if it has events */
  seasons(): Promise<Seasons>
  /** times within the window with events on both sides, and at them if known */
  cuts(): Promise<string[]>
}

export function createRanges(exports: Exports, searched: Searched): Ranges {
  const find = (at: Exports) => findWindow(at, searched)
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
    cuts: async () => {
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

/** Undecided becomes undefined; other errors are thrown. */
export function unlessUndecided(error: unknown): undefined {
  if (!(error instanceof NotDecidable)) throw error
}
