import { createByTitles } from '../../../engine/files/by-titles.ts'
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
import { type Dated, firstDated, lineForm } from './dated-rows.ts'

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
