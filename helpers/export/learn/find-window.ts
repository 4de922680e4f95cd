// The window of a run: searched for, read twice, and what its file is built of.

import type { CsvReading } from '../../../engine/files/csv.ts'
import { readingsOf } from '../../../engine/files/dates.ts'
import {
  eventsIn,
  learnFrame,
  linesAround,
  recordsOfWidth,
  shapeOf,
  tableIn,
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
import type { Exports } from '../ask/exports.ts'
import { isUsable, needCsv } from '../ask/exports.ts'
import { datesIn, findDated, lineForm } from './dated-rows.ts'
import { findSpan, findStillSpan, noEvents, notYet, type Searched, type Span } from './spans.ts'
import { recordsAs, type Window } from './window.ts'

/** The window of a run. */
export const findWindow = (exports: Exports, searched: Searched): Promise<Window> =>
  exports.once('closed window', (inner) => closedWindow(inner, searched))

/** How many hours before the latest end a window ends where events still came into the one tried first. */
const hoursEarlier = [0, 24, 7 * 24]

/** Between two looks at a window; longer than most clauses take that compare files of it. */
const mostBetweenLooksMs = 2000

/**
 * Finds a window of the past that holds enough events and not too many, and reads it twice. Events
 * may be recorded late, with the times at which they were: then it ends earlier.
 */
async function closedWindow(exports: Exports, searched: Searched): Promise<Window> {
  const { settings, stop } = searched
  const empty = (await fetchEmpty(exports)) ?? { records: [], count: 0 }
  const latest = await findSpan(exports, searched, empty.count, 0)
  const early = await stillWindow(exports, searched, latest, empty).catch(unlessOpen)
  if (early) return early
  // A window that the settings give ends where they say.
  const looksMs = settings.exportTo ? 0 : Math.min(settings.settleMs, mostBetweenLooksMs)
  const wait = () => pause(looksMs, stop)
  let window: Window | undefined
  for (const hours of hoursEarlier) {
    const read = async () => {
      const span = hours === 0 ? latest : await findSpan(exports, searched, empty.count, hours)
      return readWindow(exports, span, empty, wait)
    }
    const found = await read().catch((error) => {
      // So long ago there may be no event.
      if (!window) throw error
    })
    if (found?.isClosed) return found.window
    window ??= found?.window
    if (settings.exportTo) break
  }
  return window as Window
}

/** A window that nothing is recorded into any more, so that two looks at once tell all; else none. */
async function stillWindow(
  exports: Exports,
  searched: Searched,
  latest: Span,
  empty: Counted,
): Promise<Window | undefined> {
  const span = await findStillSpan(exports, searched, latest, empty.count)
  const found = span && (await readWindow(exports, span, empty, async () => {}))
  return found?.isClosed && !mayTellOfNow(found.window) ? found.window : undefined
}

/** What is in the way there is in the way of the latest too. */
const unlessOpen = (error: unknown): undefined => {
  if (!(error instanceof NotDecidable || error instanceof Trouble)) throw error
}

/** Whether a column may go by the clock, as when the file was made or how old an event is: two looks at once miss that. */
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

async function readWindow(
  exports: Exports,
  { start, end }: Span,
  empty: Counted,
  wait: () => Promise<void>,
): Promise<{ window: Window; isClosed: boolean }> {
  const whole = needCsv(await exports.csv({ start, end }))
  const shape = shapeOf(whole.records)
  const { escapes } = whole.dialect
  // Titles that are as wide as rows and look like one are seen only behind the lines of all files.
  const header = titlesBefore(shape, { before: 0, behind: 0 }, whole.records)
  const table = (records: string[][]) => tableIn(shape, recordsAs({ escapes, header }, records))
  const readAgain = async () => {
    await wait()
    return needCsv(await exports.csvAnew({ start, end }))
  }
  const [halves, again] = await Promise.all([
    fetchHalves(exports, { start, end }, empty.count),
    readAgain(),
  ])
  const frame = learnFrame(
    table(empty.records),
    halves.map(({ records }) => table(records)),
    table(whole.records),
    { findDates: datesIn },
  )
  const rowsIn = ({ records }: CsvReading) => from(eventsIn(table(records), frame), records)
  const rows = rowsIn(whole)
  if (rows.length === 0)
    throw new NotDecidable('data', describeNoRows({ start, end }, empty.count, whole.count))
  const stable = stableColumns(rows, rowsIn(again))
  const window = {
    start,
    end,
    rows,
    header: titlesBefore(shape, frame, whole.records),
    shape,
    escapes,
    frame,
    asWide: recordsOfWidth(shape, whole.records).length - rows.length,
    dated: findDated(rows, table(whole.records).slice(0, frame.before)),
    lines: linesAround(whole.records, rows),
    empty: new Set(empty.records.map(lineForm)),
    columns: lastingColumns(rows, rowsIn(halves[1]), stable),
  }
  return {
    window,
    isClosed: isEqual(multisetOf(rows, stable), multisetOf(rowsIn(again), stable)),
  }
}

/** A file without events; undefined where ranges in which nothing happened are refused. */
export async function fetchEmpty(exports: Exports): Promise<CsvReading | undefined> {
  const past = await exports.csv(noEvents)
  if (isUsable(past)) return past.csv
  const future = await exports.csv(notYet(exports))
  if (isUsable(future)) return future.csv
  // Which ranges are valid is not shown in full; all else keeps other files from being had as well.
  const isOpen = [past, future].every(
    ({ why, answer }) => why?.[0] === 'freedom' && isRefused(answer),
  )
  return isOpen ? undefined : needCsv(past)
}

/** A file that is as long without any event holds none, or does not go by the range. */
const describeNoRows = (
  { start, end }: { start: string; end: string },
  empty: number,
  whole: number,
) =>
  empty > 1 && whole === empty
    ? `a file from ${start} to ${end} holds ${whole} records, as many as one of a time without events; a range with events is needed (EXPORT_FROM, EXPORT_TO)`
    : `the export shows no event from ${start} to ${end}; a range with events is needed (EXPORT_FROM, EXPORT_TO)`

const mostDivisions = 4

/** Two parts of the window that have no event in common; where it can be, neither is without any. */
async function fetchHalves(
  exports: Exports,
  { start, end }: { start: string; end: string },
  empty: number,
) {
  const part = async (start: string, end: string) => needCsv(await exports.csv({ start, end }))
  let [from, to] = [0, 1]
  for (let step = 1; ; step += 1) {
    const share = (from + to) / 2
    const middle = new Date(Date.parse(start) + (Date.parse(end) - Date.parse(start)) * share)
    const next = new Date(middle.getTime() + 1).toISOString()
    const parts = [part(start, middle.toISOString()), part(next, end)] as const
    const [first, second] = await Promise.all(parts)
    const isDivided = first.count > empty && second.count > empty
    if (isDivided || step === mostDivisions) return [first, second] as const
    if (first.count > empty) to = share
    else from = share
  }
}
