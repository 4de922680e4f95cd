import { createByTitles } from '../../../engine/files/by-titles.ts'
import { type CsvReading, dialectOfRecords } from '../../../engine/files/csv.ts'
import { type Escapes, withoutEscapes } from '../../../engine/files/escapes.ts'
import {
  eventsIn,
  type Frame,
  isLine,
  isSameRecord,
  learnFrame,
  linesAround,
  recordsOfWidth,
  type Shape,
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
import { isTitles } from '../../../engine/files/sure-columns.ts'
import { isRefused } from '../../../engine/http/answers.ts'
import { from } from '../../../engine/origin.ts'
import { NotDecidable } from '../../../engine/outcome.ts'
import { pause } from '../../../engine/time/abort.ts'
import type { Exports } from '../ask/exports.ts'
import { isUsable, needCsv } from '../ask/exports.ts'
import { type Dated, datesIn, findDated, firstDated, lineForm } from './dated-rows.ts'
import { noEvents, notYet } from './spans.ts'
import { findSpan, type Searched } from './window-span.ts'

/** A closed stretch of the past with enough events and not too many, and how its file is built. */
export type Window = {
  start: string
  end: string
  /** its events, as rows without header, titles and footers */
  rows: string[][]
  /** the record that names the columns, where there is one */
  header: string[] | undefined
  /** how its rows look */
  shape: Shape
  /** how cells are written that quotes alone do not part */
  escapes: Escapes | undefined
  /** of the records that look like rows, those of every file that are none */
  frame: Frame
  /** records of its file that are as wide as rows, and none */
  asWide: number
  /** where each of its events shows a date, or an id, if anywhere */
  dated: Dated | undefined
  /** of all records, those before the first row and those behind the last */
  lines: Frame
  /** the forms of the lines of a file without events, where one can be had */
  empty: ReadonlySet<string>
  /** the columns that do not differ between two requests: neither identical ones nor whole and part */
  columns: number[]
}

/** The query of a window. */
export const spanOf = ({ start, end }: Window) => ({ start, end })

/** The events of an export as rows, and as nothing else; of one that was cut the end is missing. */
export function eventRows(window: Window, found: string[][], cut = false): string[][] {
  const { shape, frame, header } = window
  const records = recordsAs(window, found)
  const table = tableIn(shape, records)
  if (table.length === 0) {
    // An export with other columns: what of it are events is for others to say.
    const same = records.findIndex((record) => isSameRecord(record, header))
    const titles = same === -1 && header && isTitles(records[0] ?? []) ? 0 : same
    const before = titles === -1 ? frame.before : titles + 1
    const others = eventsIn(records, { ...frame, before })
    return from(
      others.filter(
        (record) => !isLineAsWide(shape, record) && !window.empty.has(lineForm(record)),
      ),
      records,
    )
  }
  const named = table.findIndex((record) => isSameRecord(record, header))
  const behind = cut ? 0 : frame.behind
  const rows = table.slice(0, table.length - behind)
  const before = firstDated(window.dated, rows, named === -1 ? frame.before : named + 1)
  return from(eventsIn(table, { before, behind }), records)
}

/** Whether a record is as wide as events, and none. */
const isLineAsWide = (shape: Shape, record: string[]) =>
  recordsOfWidth(shape, [record]).length > 0 && isLine(shape, record)

/**
 * Records as those of the window are read: a part may show nothing of what they are escaped with, and leave
 * out columns in which it would show nothing.
 */
export function recordsAs(
  { escapes, header }: Pick<Window, 'escapes' | 'header'>,
  records: string[][],
): string[][] {
  const isEscaped = escapes === 'backslash' && dialectOfRecords(records)?.escapes !== escapes
  const plain = isEscaped ? withoutEscapes(records) : records
  const ordered = plain.map(createByTitles(header))
  const isSame = !isEscaped && ordered.every((record, at) => record === records[at])
  return isSame ? records : from(ordered, records)
}

/** Rows without what the window does not have, such as rows of other columns. */
export const rowsLike = (window: Window, found: string[][]): string[][] =>
  from(
    tableIn(window.shape, recordsAs(window, found)).filter(
      (row) => !isSameRecord(row, window.header),
    ),
    found,
  )

/** Hands on the records of an export that are events, one by one, for files too long to keep. */
export function eachEvent(window: Window, hear: (row: string[]) => void): (row: string[]) => void {
  const { shape, frame, header } = window
  const byTitles = createByTitles(header)
  const last: string[][] = []
  let records = 0
  return (found) => {
    const record = byTitles(found)
    if (tableIn(shape, [record]).length === 0) return
    records += 1
    if (records <= frame.before) return
    last.push(record)
    const row = last.length > frame.behind ? last.shift() : undefined
    if (row && !isSameRecord(row, header)) hear(row)
  }
}

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
  // A window that the settings give ends where they say.
  const looksMs = settings.exportTo ? 0 : Math.min(settings.settleMs, mostBetweenLooksMs)
  const wait = () => pause(looksMs, stop)
  let window: Window | undefined
  for (const hours of hoursEarlier) {
    const found = await readWindow(exports, searched, hours, wait).catch((error) => {
      // So long ago there may be no event.
      if (!window) throw error
    })
    if (found?.isClosed) return found.window
    window ??= found?.window
    if (settings.exportTo) break
  }
  return window as Window
}

async function readWindow(
  exports: Exports,
  searched: Searched,
  hours: number,
  wait: () => Promise<void>,
): Promise<{ window: Window; isClosed: boolean }> {
  const empty = (await fetchEmpty(exports)) ?? { records: [], count: 0 }
  const { start, end } = await findSpan(exports, searched, empty.count, hours)
  const whole = needCsv(await exports.csv({ start, end }))
  const shape = shapeOf(whole.records)
  const { escapes } = whole.dialect
  // Titles that are as wide as rows and look like one are seen only behind the lines of all files.
  const header = titlesBefore(shape, { before: 0, behind: 0 }, whole.records)
  const table = (records: string[][]) => tableIn(shape, recordsAs({ escapes, header }, records))
  // Read between the two looks, and the wait goes on meanwhile.
  const [halves] = await Promise.all([fetchHalves(exports, { start, end }, empty.count), wait()])
  const again = needCsv(await exports.csvAnew({ start, end }))
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

/** Two parts of the window that have no event in common; where it can be, neither is without any. */
async function fetchHalves(
  exports: Exports,
  { start, end }: { start: string; end: string },
  empty: number,
) {
  const halves = async (share: number) => {
    const middle = new Date(Date.parse(start) + (Date.parse(end) - Date.parse(start)) * share)
    const next = new Date(middle.getTime() + 1).toISOString()
    const first = needCsv(await exports.csv({ start, end: middle.toISOString() }))
    return [first, needCsv(await exports.csv({ start: next, end }))] as const
  }
  for (const share of [1 / 2, 1 / 4, 3 / 4, 1 / 16]) {
    const [first, second] = await halves(share)
    if (first.count > empty && second.count > empty) return [first, second] as const
  }
  return halves(15 / 16)
}
