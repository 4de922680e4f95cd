import { createByTitles } from '../../../engine/files/by-titles.ts'
import { dialectOfRecords } from '../../../engine/files/csv.ts'
import type { Escapes } from '../../../engine/files/escapes.ts'
import {
  eventsIn,
  type Frame,
  isLine,
  isSameRecord,
  recordsOfWidth,
  type Shape,
  tableIn,
} from '../../../engine/files/line-frame.ts'
import { isTitles } from '../../../engine/files/sure-columns.ts'
import { from } from '../../../engine/origin.ts'
import { NotDecidable } from '../../../engine/outcome.ts'
import { type Dated, firstDated, lineForm } from './dated-rows.ts'

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

/** A window that was looked at once: which of its columns stay as they are is not known yet. */
export type SeenOnce = Omit<Window, 'columns'>

/** The query of a window. */
export const spanOf = ({ start, end }: SeenOnce) => ({ start, end })

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
    const isLine = (record: string[]) => isLineAsWide(shape, record)
    // More rows than the window has lines as wide, its titles apart: events whose columns are in another order.
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

/** Whether a record is as wide as events, and none. */
const isLineAsWide = (shape: Shape, record: string[]) =>
  recordsOfWidth(shape, [record]).length > 0 && isLine(shape, record)

/** Records as those of the window are read: a part may leave out columns in which it would show nothing. */
export function recordsAs(
  { escapes, header }: Pick<Window, 'escapes' | 'header'>,
  records: string[][],
): string[][] {
  const dialect = dialectOfRecords(records)
  const isPlain = escapes === 'backslash' && dialect && dialect.escapes !== escapes
  if (isPlain && records.some((record) => record.some((cell) => cell.includes('\\'))))
    throw new NotDecidable('freedom', 'a file shows too little of how backslashes are written')
  const ordered = records.map(createByTitles(header))
  return ordered.every((record, at) => record === records[at]) ? records : from(ordered, records)
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
