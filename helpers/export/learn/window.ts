import { inOrderOf } from '../../../engine/files/by-titles.ts'
import type { CsvReading } from '../../../engine/files/csv.ts'
import {
  isLine,
  isSameRecord,
  type Lines,
  lineForm,
  linesAround,
  recordsOfWidth,
  type Shape,
  shapeOf,
  tableIn,
  tellsEvents,
  titlesBefore,
} from '../../../engine/files/line-frame.ts'
import {
  intersection,
  isEqual,
  lastingColumns,
  type Multiset,
  multisetOf,
  stableColumns,
} from '../../../engine/files/multiset.ts'
import { isTitles } from '../../../engine/files/sure-columns.ts'
import { isRefused } from '../../../engine/http/answers.ts'
import { from } from '../../../engine/origin.ts'
import { pause } from '../../../engine/time/abort.ts'
import { clock } from '../../../engine/time/timers.ts'
import { needPermitted, premise } from '../../service/answers.ts'
import { type CsvExport, type Exports, isUsable, needCsv } from '../ask/exports.ts'
import { mergeQueries, type Query, type Span } from '../ask/query.ts'
import { fetchPart, findSpan, noEvents, notYet, type Searched } from './spans.ts'

/** A closed past range with a useful number of events, and the structure of its file. */
export type Window = {
  start: string
  end: string
  /** its events as rows, without header row, title and total lines */
  rows: string[][]
  header: string[] | undefined
  shape: Shape
  /** how many records are as wide as rows and no events */
  asWide: number
  /** how many of all records precede the first row and follow the last */
  lines: Lines
  /** the stable columns: equal in two identical requests, and in a part and the whole */
  columns: number[]
}

export const spanOf = ({ start, end }: Span): Span => ({ start, end })

const untold =
  'too few columns show an id or a number in every event, so a header row may look like an event; the contract does not specify the fields of a file'

/** The events of an export as rows; with other columns than the window, all but its known lines. */
export function eventRows({ shape, header, asWide }: Window, found: string[][]): string[][] {
  const records = inOrderOf(header, found)
  const [first] = records
  premise(tellsEvents(shape) || !first || isSameRecord(first, header), 'freedom', untold)
  const rows = tableIn(shape, records)
  if (rows.length > 0) return from(rows, found)
  const others = records.filter(
    (record, at) => !shape.known.has(lineForm(record)) && !(at === 0 && header && isTitles(record)),
  )
  const areLines = others.filter((each) => isLine(shape, each))
  const lines = recordsOfWidth(shape, areLines)
  // More such rows than the window has, apart from titles: events whose columns are reordered.
  const isOrder = lines.length > asWide - (header ? 1 : 0)
  return from(isOrder ? others : others.filter((each) => !lines.includes(each)), found)
}

/** The event rows of a file, to look and not to judge; without a file, none. */
export const rowsSeen = (window: Window, csv: Pick<CsvReading, 'records'> | undefined) =>
  eventRows(window, csv?.records ?? [])

export const eventsShown = (window: Window, csv: CsvReading | undefined): Multiset =>
  multisetOf(rowsSeen(window, csv), window.columns)

/** Rows as the window's, to compare; ends the clause if the file has other columns. */
export function rowsLike({ shape }: Window, rows: string[][]): string[][] {
  const alike = tableIn(shape, rows)
  // A record with one filled cell is a line about the file; a file without events consists of such lines.
  const isKnown = (row: string[]) => row.length <= 1 || shape.known.has(lineForm(row))
  premise(alike.length > 0 || rows.every(isKnown), 'freedom', otherFields)
  return from(alike, rows)
}

const otherFields =
  'the file has other columns than the window; the contract does not say which fields a file contains'

/** Fetches events of the window: those matching the filters of a query, or all. */
export const createEventFetch =
  (fetch: (query: Query) => Promise<string[][]>, window: Window) =>
  async (...filters: Query[]): Promise<Multiset> =>
    eventsAmong(window, await fetch(mergeQueries(spanOf(window), ...filters)))

export const eventsAmong = (window: Window, rows: string[][]): Multiset =>
  from(multisetOf(rowsLike(window, rows), window.columns), rows)

/** The events of the window in an export; to look, not to judge. */
export function eventsSeen(window: Window, { answer, csv }: CsvExport): Multiset {
  needPermitted(answer)
  const all = multisetOf(window.rows, window.columns)
  return from(intersection(eventsShown(window, csv), all), answer)
}

export const findWindow = (exports: Exports, searched: Searched): Promise<Window> =>
  exports.once('closed window', (inner) => closedWindow(inner, searched))

/** How many hours earlier a window ends if events still arrive in the first candidate. */
const earlierEnds = [24, 7 * 24]

/** Between two looks at a window. */
const betweenLooksMs = 1000

/** Events may be recorded late, with earlier times: then the window ends earlier. */
async function closedWindow(exports: Exports, searched: Searched): Promise<Window> {
  const { settings, stop } = searched
  const empty: Counted = (await fetchEmpty(exports)) ?? { records: [], count: 0 }
  const lookTwice = async (hoursEarlier: number) => {
    const span = await findSpan(exports, searched, { empty: empty.count, hoursEarlier })
    const whole = await exports.csvFile(span)
    const at = clock.now()
    const part = await fetchPart(exports, span, { empty: empty.count, whole: whole.count })
    const seen = seenIn(span, whole.records, empty.records)
    premise(seen.rows.length > 0, 'data', describeNoRows(span, empty.count, whole.count))
    premise(tellsEvents(seen.shape) || haveTitlesOnly(whole, empty), 'freedom', untold)
    // A configured window ends as configured.
    const waitMs = settings.exportTo ? 0 : Math.min(settings.settleMs, betweenLooksMs)
    await pause(Math.max(0, at + waitMs - clock.now()), stop)
    return windowOf(seen, part, await exports.fresh.csvFile(span))
  }
  const first = await lookTwice(0)
  if (first.isClosed || settings.exportTo) return first.window
  for (const hours of earlierEnds) {
    // There may be no event that long ago.
    const found = await lookTwice(hours).catch(() => undefined)
    if (found?.isClosed) return found.window
  }
  return first.window
}

type Counted = Pick<CsvReading, 'records' | 'count'>

/** Whether a file without events consists of the first record of every file: then all others are events. */
const haveTitlesOnly = (whole: Counted, { records, count }: Counted) =>
  count === 1 && isSameRecord(records[0], whole.records[0])

/** What a window's file is built of. */
function seenIn(span: Span, records: string[][], empty: readonly string[][]) {
  const shape = shapeOf(records, empty)
  const header = titlesBefore(shape, records)
  const known = new Set([...shape.known, ...(header ? [lineForm(header)] : [])])
  const rows = from(tableIn(shape, records), records)
  const asWide = recordsOfWidth(shape, records).length - rows.length
  const lines = linesAround(records, rows)
  return { ...span, rows, header, shape: { ...shape, known }, asWide, lines }
}

function windowOf(seen: ReturnType<typeof seenIn>, part: CsvReading, file: CsvReading) {
  const { rows, shape } = seen
  const again = tableIn(shape, file.records)
  const stable = stableColumns(rows, again)
  const columns = lastingColumns(rows, tableIn(shape, part.records), stable)
  const isClosed = isEqual(multisetOf(rows, stable), multisetOf(again, stable))
  return { window: from({ ...seen, columns }, rows), isClosed }
}

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
const describeNoRows = ({ start, end }: Span, empty: number, whole: number) =>
  empty > 1 && whole === empty
    ? `a file from ${start} to ${end} contains ${whole} records, as many as a file of a range without events; a range with events is needed (EXPORT_FROM, EXPORT_TO)`
    : `the export shows no event from ${start} to ${end}; a range with events is needed (EXPORT_FROM, EXPORT_TO)`
