import { createByTitles } from '../../../engine/files/by-titles.ts'
import { dateIn, type Order, orders } from '../../../engine/files/dates.ts'
import {
  eventsIn,
  type Frame,
  isLine,
  isSameRecord,
  maxLines,
  recordsOfWidth,
  type Shape,
  tableIn,
} from '../../../engine/files/line-frame.ts'
import { isTitles } from '../../../engine/files/sure-columns.ts'
import { from } from '../../../engine/origin.ts'

/** A closed past range with a useful number of events, and the structure of its file. */
export type Window = {
  start: string
  end: string
  /** its events as rows, without header row, title and total lines */
  rows: string[][]
  header: string[] | undefined
  shape: Shape
  /** how many records look like rows and are in every file */
  frame: Frame
  /** how many records are as wide as rows and are not events */
  asWide: number
  /** where each event shows a date or an id */
  dated: Dated | undefined
  /** how many of all records precede the first row and follow the last */
  lines: Frame
  /** the forms of the lines of a file without events, if there is one */
  empty: ReadonlySet<string>
  /** the stable columns: equal in two identical requests, and in a part and the whole */
  columns: number[]
}

/** A window after one look: its stable columns are unknown. */
export type SeenOnce = Omit<Window, 'columns'>

export const spanOf = ({ start, end }: SeenOnce) => ({ start, end })

/** The events of an export as rows. A file that was cut lacks its end. */
export function eventRows(window: Window, found: string[][], cut = false): string[][] {
  const { shape, frame, header } = window
  const records = recordsAs(window, found)
  const table = tableIn(shape, records)
  if (table.length === 0) {
    // In an export with other columns it is unclear which records are events.
    const same = records.findIndex((record) => isSameRecord(record, header))
    const titles = same === -1 && header && isTitles(records[0] ?? []) ? 0 : same
    const before = titles === -1 ? frame.before : titles + 1
    const others = eventsIn(records, { ...frame, before })
    const isLine = (record: string[]) => isLineAsWide(shape, record)
    // More such rows than the window has, apart from titles: events whose columns are reordered.
    const isOrder = others.filter(isLine).length > window.asWide - (header ? 1 : 0)
    return from(
      others.filter(
        (record) => (isOrder || !isLine(record)) && !window.empty.has(lineForm(record)),
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

const isLineAsWide = (shape: Shape, record: string[]) =>
  recordsOfWidth(shape, [record]).length > 0 && isLine(shape, record)

/** Records in the column order of the window; a part may omit empty columns. */
export function recordsAs({ header }: Pick<Window, 'header'>, records: string[][]): string[][] {
  const ordered = records.map(createByTitles(header))
  return ordered.every((record, at) => record === records[at]) ? records : from(ordered, records)
}

/** Rows without records that the window does not have, such as rows of other columns. */
export const rowsLike = (window: Window, found: string[][]): string[][] =>
  from(
    tableIn(window.shape, recordsAs(window, found)).filter(
      (row) => !isSameRecord(row, window.header),
    ),
    found,
  )

/** A column in which every event of the window shows a date, with its order, or an id. */
type Column = { column: number; order: Order | 'id' }

/** `titles`: the forms of the title lines of the window's file. */
export type Dated = Column & { titles: ReadonlySet<string> }

export function findDated(
  rows: readonly (readonly string[])[],
  inFront: readonly (readonly string[])[] = [],
): Dated | undefined {
  const titles = new Set(inFront.map(lineForm))
  const columns = [...(rows[0] ?? []).keys()]
  const dates = columns.flatMap((column) => orders.map((order): Column => ({ column, order })))
  const ids = columns.map((column): Column => ({ column, order: 'id' }))
  const found = [...dates, ...ids].find((each) => rows.every((row) => isDated(row, each)))
  return found && { ...found, titles }
}

/** Whether a record shows a date, or an id, where all of these events do. */
export function datesIn(events: readonly string[][]): ((record: string[]) => boolean) | undefined {
  const dated = findDated(events)
  return dated && ((record) => isDated(record, dated))
}

/**
 * Where the events begin, from `from` on: titles may name the filters, one line each. Another language may
 * write dates in words, but always with a digit.
 */
export function firstDated(
  dated: Dated | undefined,
  records: readonly (readonly string[])[],
  from: number,
): number {
  if (!dated) return from
  const rows = records.slice(from)
  const linesBefore = (isEvent: (row: readonly string[]) => boolean) => {
    const lines = rows.slice(0, maxLines).findIndex(isEvent)
    return lines < 0 && rows.length <= maxLines ? rows.length : Math.max(0, lines)
  }
  const isEvent = (row: readonly string[]) => isDated(row, dated)
  const lines = linesBefore(isEvent)
  if (lines === 0) return from
  // Another language may order days and months differently.
  const isInOrder = (row: readonly string[]) =>
    orders.some((order) => isDated(row, { column: dated.column, order }))
  // Or name a month by an unknown word.
  const forms = new Set(rows.slice(lines).map((row) => wordsForm(row[dated.column] ?? '')))
  const isInWords = (row: readonly string[]) => {
    const form = wordsForm(row[dated.column] ?? '')
    return form.includes('a') && form.includes('0') && forms.has(form)
  }
  const isSure =
    lines < rows.length &&
    rows.slice(lines).every(isEvent) &&
    !rows.slice(0, lines).some((row) => isInOrder(row) || isInWords(row))
  const mayBeEvent = (row: readonly string[]) =>
    mayBeDate(row[dated.column] ?? '') && !(hasWord(row) && dated.titles.has(lineForm(row)))
  // No language changes ids.
  return from + (isSure || dated.order === 'id' ? lines : linesBefore(mayBeEvent))
}

/** The form of a line that names a filter or a total, without its digits. */
export const lineForm = (row: readonly string[]): string =>
  row.join('\n').replaceAll(/\p{Nd}+/gu, '0')

/** The form of a date, without its words and numbers. */
const wordsForm = (cell: string): string =>
  cell.replaceAll(/\p{L}[\p{L}\p{M}.]*/gu, 'a').replaceAll(/\p{Nd}+/gu, '0')

const hasWord = (row: readonly string[]): boolean => row.some((cell) => /\p{L}{3}/u.test(cell))

const isDated = (row: readonly string[], { column, order }: Column): boolean => {
  const cell = row[column] ?? ''
  return order === 'id' ? uuid.exec(cell)?.[0] === cell : dateIn(cell, order) !== undefined
}

const mayBeDate = (cell: string): boolean => /\p{Nd}/u.test(cell) && !uuid.test(cell)

const uuid = /[\da-f]{8}-([\da-f]{4}-){3}[\da-f]{12}/i
