// The records of a CSV that are not rows: titles, a header, lines about the file.

import { type Problem, problem } from '../problem.ts'
import { departures, isTitles, type SureColumn, sureColumnsOf } from './sure-columns.ts'

/** How the rows of a file look: what looks otherwise is a line about the file. */
export type Shape = {
  /** how many cells rows have; undefined: any number */
  width: number | undefined
  /** a row may have one cell that is filled in, and no other */
  lean: boolean
  /** what every event shows; nothing, where that is not known */
  sure: readonly SureColumn[]
}

/** Records that look like rows and are none: those before the events, and those behind them. */
export type Frame = { before: number; behind: number }

/** More records that look otherwise are no titles, and no last lines that tell of the others. */
export const maxLines = 20

/** Tells how rows look: as most of a file does. */
export function shapeOf(records: string[][]): Shape {
  const tally = new Map<number, number>()
  for (const { length } of records) tally.set(length, (tally.get(length) ?? 0) + length)
  const [usual = 0] = [...tally].sort((a, b) => b[1] - a[1])[0] ?? []
  const rows = records.filter(({ length }) => length === usual)
  const isEven = records.length - rows.length <= maxLines
  const sparse = rows.filter((row) => filledIn(row) === 1).length
  return {
    width: isEven ? usual : undefined,
    // Where there are few columns, events may well fill in one of them.
    lean: usual < 4 || sparse > maxLines,
    sure: sureColumnsOf(isEven ? rows : records),
  }
}

/** Whether a record shows at least twice something else than every event does: a heading, a sum. */
export const isLine = ({ sure }: Shape, record: readonly string[]): boolean =>
  departures(sure, record) > 1

/** Whether a record shows what every event does; where that is not known, whether it is a row. */
export const isSurelyEvent = (shape: Shape, record: string[]): boolean =>
  tableIn(shape, [record]).length > 0 && departures(shape.sure, record) === 0

// Files of a run hold the same rows again and again.
const rowsBy = new WeakMap<Shape, WeakMap<readonly string[], boolean>>()

const isRow = (shape: Shape, record: string[]) =>
  (shape.lean || filledIn(record) > 1) && !isLine(shape, record)

/** The records that look like rows. */
export function tableIn(shape: Shape, records: string[][]): string[][] {
  const wide = recordsOfWidth(shape, records)
  // A record that comes alone is not kept.
  if (records.length === 1) return wide.filter((record) => isRow(shape, record))
  const known = rowsBy.get(shape) ?? new WeakMap()
  rowsBy.set(shape, known)
  return wide.filter((record) => {
    const told = known.get(record) ?? isRow(shape, record)
    known.set(record, told)
    return told
  })
}

/** The record that names the columns, of those before the first row. */
export function titlesBefore(
  shape: Shape,
  { before }: Frame,
  records: string[][],
): string[] | undefined {
  const table = tableIn(shape, records)
  if (before > 0) return table[before - 1]
  const first = table[0] ? records.indexOf(table[0]) : records.length
  const { width } = shape
  // A delimiter behind the last cell of each row is not always there behind the last title.
  const isWide = ({ length }: string[]) =>
    width !== undefined && length > 1 && (length === width || length === width - 1)
  return records.slice(0, first).findLast((record) => isWide(record) && isTitles(record))
}

/** The records that have as many cells as rows have. */
export const recordsOfWidth = ({ width }: Shape, records: string[][]): string[][] =>
  records.filter(({ length }) => width === undefined || length === width)

const filledIn = (row: string[]) => row.filter((cell) => cell !== '').length

/** The records that are events, of those that look like it. */
export const eventsIn = (records: string[][], { before, behind }: Frame): string[][] =>
  records.slice(before, Math.max(before, records.length - behind))

/**
 * What of a file is no event. A file without any tells how others begin. What more there is (a
 * header only where there are events, a last line that counts them) the two halves of a stretch
 * have once more than the whole of it.
 */
export function learnFrame(
  empty: string[][],
  halves: string[][][],
  whole: string[][],
  { findDates = () => undefined }: { findDates?: FindDates } = {},
): Frame {
  const counted = halves.reduce((sum, { length }) => sum + length, -whole.length)
  const size = counted >= 0 && counted <= 10 ? counted : empty.length
  const undated = frameOfDates([...halves, whole], [size, empty.length], findDates)
  if (undated) return undated
  const differs = empty.findIndex((record, at) => !isSameRecord(record, whole[at]))
  const lead = differs === -1 ? empty.length : differs
  const files = [...halves, whole]
  const behind = linesIn(
    files.map((records) => records.toReversed()),
    0,
    size - lead,
  )
  // Where a file without events says something of its own, the rest stands before the others' events.
  if (differs !== -1) return { before: Math.max(lead, size - behind), behind }
  return { before: lead + linesIn(files, lead, size - lead - behind), behind }
}

/** Tells of events whether a record shows a date where each of them does; undefined: they show none. */
type FindDates = (events: string[][]) => ((record: string[]) => boolean) | undefined

/**
 * The records around those with a date, where there are as many of them in each file as in one without events,
 * or as the halves have more than the whole: an event that came meanwhile is counted by neither.
 */
function frameOfDates(
  files: string[][][],
  sizes: readonly number[],
  findDates: FindDates,
): Frame | undefined {
  const whole = files.at(-1) ?? []
  const most = Math.max(...sizes)
  const events = whole.slice(most, whole.length - most)
  const isEvent = most > 0 && events.length > maxLines ? findDates(events) : undefined
  if (!isEvent) return undefined
  const frames = files.map((records) => ({
    before: records.findIndex(isEvent),
    behind: records.length - 1 - records.findLastIndex(isEvent),
  }))
  const [frame] = frames
  const isSure = frames.every(
    ({ before, behind }) =>
      before === frame?.before && behind === frame.behind && sizes.includes(before + behind),
  )
  return isSure ? frame : undefined
}

/** How many records are lines about the file: alike in all files, and not like the one after. */
function linesIn(files: string[][][], from: number, maxFound: number): number {
  const [one = [], ...others] = files
  const isLine = (at: number) =>
    others.every((records) => isAlike(records[at], one[at])) && !isAlike(one[at], one[at + 1])
  let lines = 0
  while (lines < maxFound && isLine(from + lines)) lines += 1
  return lines
}

/** How many of all records stand before the first row, and behind the last. */
export function linesAround(records: string[][], rows: string[][]): Frame {
  const [first, last] = [rows[0], rows.at(-1)]
  const before = records.indexOf(first ?? [])
  return { before, behind: records.length - 1 - records.lastIndexOf(last ?? []) }
}

/** Records between rows, or cut short behind them, that have not as many cells as the rows have. */
export function problemsOfWidths(records: string[][], usual: number): Problem[] {
  const isRow = ({ length }: string[]) => length === usual
  const [first, last] = [records.findIndex(isRow), records.findLastIndex(isRow)]
  return records.flatMap((record, at) => {
    // Before and behind rows a line may tell of the file: in a word, or a word and a number.
    const isLine = at < first || (at > last && filledIn(record) <= 2)
    return isLine || isRow(record)
      ? []
      : [
          problem(`record ${at + 1} has ${record.length} cells, the first row ${usual}`, {
            expected: `${usual} cells`,
            got: `${record.length} cells`,
            judged: records,
            again: {
              why: 'the cells of a CSV have to be understood, which takes more than counting its lines',
            },
          }),
        ]
  })
}

/** Whether records differ in numbers alone: a last line may count rows, tell the time, be a checksum. */
const isAlike = (a: string[] | undefined, b: string[] | undefined) =>
  isSameRecord(formOf(a), formOf(b))

const formOf = (record: string[] | undefined) =>
  record?.map((cell) => cell.replaceAll(/\S*\d\S*/g, '#').trim())

export const isSameRecord = (a: string[] | undefined, b: string[] | undefined): boolean =>
  a !== undefined && a.length === b?.length && a.every((cell, at) => cell === b[at])
