import { inOrderOf } from '../../../engine/files/by-titles.ts'
import {
  isLine,
  isSameRecord,
  type Lines,
  lineForm,
  recordsOfWidth,
  type Shape,
  tableIn,
  tellsEvents,
} from '../../../engine/files/line-frame.ts'
import { isTitles } from '../../../engine/files/sure-columns.ts'
import { from } from '../../../engine/origin.ts'
import { premise } from '../../service/answers.ts'

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

export const spanOf = ({ start, end }: Window) => ({ start, end })

export const untold =
  'not every event shows an id or a number, so a header row may look like an event; the contract does not specify the fields of a file'

/**
 * The events of an export as rows. In one with other columns than the window it is unclear which records are
 * events: these are all that are not known as lines.
 */
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
