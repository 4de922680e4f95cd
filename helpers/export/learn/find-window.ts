// The window of a run: finds it, reads it twice, and learns the structure of its file.

import type { CsvReading } from '../../../engine/files/csv.ts'
import { readingsOf } from '../../../engine/files/dates.ts'
import {
  lineForm,
  linesAround,
  recordsOfWidth,
  shapeOf,
  tableIn,
  tellsEvents,
  titlesBefore,
} from '../../../engine/files/line-frame.ts'
import {
  isEqual,
  lastingColumns,
  multisetOf,
  stableColumns,
} from '../../../engine/files/multiset.ts'
import { isRefused } from '../../../engine/http/answers.ts'
import { from } from '../../../engine/origin.ts'
import { NotDecidable, Trouble } from '../../../engine/outcome.ts'
import { isUuid } from '../../../engine/settings/parsers.ts'
import { pause } from '../../../engine/time/abort.ts'
import { clock } from '../../../engine/time/timers.ts'
import { premise } from '../../service/answers.ts'
import { type CsvExport, type Exports, isUsable, needCsv } from '../ask/exports.ts'
import {
  fetchPart,
  findSpan,
  findStillSpan,
  noEvents,
  notYet,
  type Searched,
  type Span,
} from './spans.ts'
import { type SeenOnce, spanOf, type Window } from './window.ts'

export const findWindow = (exports: Exports, searched: Searched): Promise<Window> =>
  exports.once('closed window', async (inner) => {
    const window = await closedWindow(inner, searched)
    const { dialect, encoding } = await inner.csvFile(spanOf(window))
    const columns = window.header ?? window.shape.width ?? 0
    Object.assign(exports.facts.found, { delimiter: dialect.delimiter, encoding, columns })
    return window
  })

/**
 * Learns from the window while it is still being confirmed; the result counts only if the first candidate
 * is confirmed.
 */
export const learnOfWindow = <T>(
  name: string,
  exports: Exports,
  searched: Searched,
  learn: (exports: Exports, window: SeenOnce) => Promise<T>,
): Promise<T> =>
  exports.once(name, async (inner) => {
    const { seen } = await firstLook(inner, searched)
    const early = learn(inner, seen)
    // The result may not be needed.
    early.catch(() => {})
    const window = await findWindow(inner, searched)
    return isSameSpan(window, seen) ? early : learn(inner, window)
  })

const isSameSpan = (one: Span, other: Span) => one.start === other.start && one.end === other.end

/** How many hours earlier a window ends if events still arrive in the first candidate. */
const hoursEarlier = [24, 7 * 24]

/** Between two looks at a window: longer than most clauses take to compare its files. */
const betweenLooks = { leastMs: 1000, mostMs: 2000, timesAsLongAsFirst: 10 }

/**
 * Finds a past window with enough events and not too many, and reads it twice. Events may be recorded late,
 * with earlier times: then the window ends earlier.
 */
async function closedWindow(exports: Exports, searched: Searched): Promise<Window> {
  const { settings, stop } = searched
  const wait = ({ at, tookMs }: Look) => {
    const { leastMs, mostMs, timesAsLongAsFirst } = betweenLooks
    const longMs = Math.min(mostMs, Math.max(leastMs, timesAsLongAsFirst * tookMs))
    // A configured window ends as configured.
    const looksMs = settings.exportTo ? 0 : Math.min(settings.settleMs, longMs)
    return pause(Math.max(0, at + looksMs - clock.now()), stop)
  }
  const first = await firstLook(exports, searched)
  if (first.still) return first.still
  await wait(first)
  const { window, isClosed } = await lookAgain(exports, first)
  if (isClosed || settings.exportTo) return window
  for (const hours of hoursEarlier) {
    const read = async () => {
      const look = await lookAt(
        exports,
        await findSpan(exports, searched, first.empty.count, hours),
        first.empty,
      )
      await wait(look)
      return lookAgain(exports, look)
    }
    // There may be no event that long ago.
    const found = await read().catch(() => undefined)
    if (found?.isClosed) return found.window
  }
  return window
}

/** The first look at the window; the window itself if it is known to be closed. */
const firstLook = (exports: Exports, searched: Searched): Promise<Look & { still?: Window }> =>
  exports.once('first look at the window', async (inner) => {
    const empty = (await fetchEmpty(inner)) ?? { records: [], count: 0 }
    const latest = await findSpan(inner, searched, empty.count, 0)
    const still = await stillWindow(inner, searched, latest, empty).catch(unlessOpen)
    return still ?? lookAt(inner, latest, empty)
  })

/** A window that is known to be closed, so that two looks in a row are enough. */
async function stillWindow(exports: Exports, searched: Searched, latest: Span, empty: Counted) {
  const span = await findStillSpan(exports, searched, latest, empty.count)
  if (!span) return undefined
  const { start, end } = span
  const [look, again] = await Promise.all([
    lookAt(exports, span, empty),
    exports.fresh.csv({ start, end }),
  ])
  const { window, isClosed } = await lookAgain(exports, look, again)
  return isClosed && !mayTellOfNow(window) ? { ...look, still: window } : undefined
}

/** A look that ends undecided or in trouble leaves the latest window to be tried; other errors are our mistakes. */
const unlessOpen = (error: unknown): undefined => {
  if (!(error instanceof NotDecidable || error instanceof Trouble)) throw error
}

/** Whether a column may depend on the clock, such as the age of an event. Two looks in a row would not show it. */
function mayTellOfNow({ rows }: Window): boolean {
  const [first = []] = rows
  return first.some((_, column) => {
    const cells = [...new Set(rows.map((row) => row[column] ?? ''))].filter(Boolean)
    const areTimes = cells.length > 1 && readingsOf(cells).length > 0
    if (cells.length === 0 || areTimes || cells.every(isUuid)) return false
    return cells.every((cell) => /\d/.test(cell))
  })
}

type Counted = Pick<CsvReading, 'records' | 'count'>

/** What a look at a window showed, and how to look again. */
type Look = {
  seen: SeenOnce
  empty: Counted
  part: CsvReading
  /** when its file was received */
  at: number
  /** with its part: the file itself may have been read earlier */
  tookMs: number
}

async function lookAt(exports: Exports, { start, end }: Span, empty: Counted): Promise<Look> {
  const asked = clock.now()
  const whole = await exports.csvFile({ start, end })
  const at = clock.now()
  const part = await fetchPart(exports, { start, end }, { empty: empty.count, whole: whole.count })
  const tookMs = clock.now() - asked
  const seen = seenIn({ start, end }, whole, empty.records)
  premise(seen.rows.length > 0, 'data', describeNoRows(seen, empty.count, whole.count))
  premise(tellsEvents(seen.shape), 'freedom', untold)
  return { seen, empty, part, at, tookMs }
}

export const untold =
  'no column shows an id or a number in each event, and another in each; the contract does not say which records are events'

/** What a window's file is built of. */
export function seenIn(
  { start, end }: Span,
  { records }: CsvReading,
  empty: readonly string[][] = [],
): SeenOnce {
  const shape = shapeOf(records, empty)
  const header = titlesBefore(shape, records)
  const known = new Set([...shape.known, ...(header ? [lineForm(header)] : [])])
  const rows = from(tableIn(shape, records), records)
  const asWide = recordsOfWidth(shape, records).length - rows.length
  const lines = linesAround(records, rows)
  return { start, end, rows, header, shape: { ...shape, known }, asWide, lines }
}

async function lookAgain(exports: Exports, look: Look, file?: CsvExport) {
  const { start, end } = look.seen
  return windowOf(look, needCsv(file ?? (await exports.fresh.csv({ start, end }))))
}

/** A window by two files of it and one of a part, and whether it holds still. */
export function windowOf(
  { seen, part }: Pick<Look, 'seen' | 'part'>,
  file: CsvReading,
): { window: Window; isClosed: boolean } {
  const { rows, shape } = seen
  const again = from(tableIn(shape, file.records), file.records)
  const stable = stableColumns(rows, again)
  const columns = lastingColumns(rows, tableIn(shape, part.records), stable)
  return {
    window: from({ ...seen, columns }, rows),
    isClosed: isEqual(multisetOf(rows, stable), multisetOf(again, stable)),
  }
}

/** A file without events; undefined if ranges without events are refused. */
export async function fetchEmpty(exports: Exports): Promise<CsvReading | undefined> {
  const past = await exports.csv(noEvents)
  if (isUsable(past)) return past.csv
  const future = await exports.csv(notYet(exports))
  if (isUsable(future)) return future.csv
  // The contract does not list all valid ranges. Any other failure affects other files too.
  const isOpen = [past, future].every(
    ({ why, answer }) => why?.[0] === 'freedom' && isRefused(answer),
  )
  return isOpen ? undefined : needCsv(past)
}

/** A file as long as one without events holds none, or ignores the range. */
const describeNoRows = (
  { start, end }: { start: string; end: string },
  empty: number,
  whole: number,
) =>
  empty > 1 && whole === empty
    ? `a file from ${start} to ${end} contains ${whole} records, as many as a file of a range without events; a range with events is needed (EXPORT_FROM, EXPORT_TO)`
    : `the export shows no event from ${start} to ${end}; a range with events is needed (EXPORT_FROM, EXPORT_TO)`
