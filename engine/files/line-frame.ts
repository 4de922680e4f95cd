// The records of a CSV that are not rows: title lines, header row, total lines.

import { type Problem, problem } from '../problem.ts'
import { mostFrequent } from './multiset.ts'
import { departures, isTitles, type SureColumn, sureColumnsOf } from './sure-columns.ts'

/** The shape of the rows; a record of another shape is a title or total line. */
export type Shape = {
  /** how many cells rows have; undefined: any number */
  width: number | undefined
  /** a row may have a single filled cell */
  lean: boolean
  /** what every event shows; empty if unknown */
  sure: readonly SureColumn[]
}

/** How many records before and behind the events only look like rows. */
export type Frame = { before: number; behind: number }

/** More records of another shape than this are not title or total lines. */
export const maxLines = 20

export function shapeOf(records: string[][]): Shape {
  const tally = new Map<number, number>()
  for (const { length } of records) tally.set(length, (tally.get(length) ?? 0) + length)
  const usual = mostFrequent(tally) ?? 0
  const rows = records.filter(({ length }) => length === usual)
  const isEven = records.length - rows.length <= maxLines
  const sparse = rows.filter((row) => filledIn(row) === 1).length
  return {
    width: isEven ? usual : undefined,
    // With few columns, an event may fill only one.
    lean: usual < 4 || sparse > maxLines,
    sure: sureColumnsOf(isEven ? rows : records),
  }
}

/** Whether a record differs at least twice from what every event shows: a heading or a total. */
export const isLine = ({ sure }: Shape, record: readonly string[]): boolean =>
  departures(sure, record) > 1

/** Whether a record shows what every event shows; if that is unknown, whether it is a row. */
export const isSurelyEvent = (shape: Shape, record: string[]): boolean =>
  tableIn(shape, [record]).length > 0 && departures(shape.sure, record) === 0

// Cached: files of a run hold the same rows again and again.
const rowsBy = new WeakMap<Shape, WeakMap<readonly string[], boolean>>()

const isRow = (shape: Shape, record: string[]) =>
  (shape.lean || filledIn(record) > 1) && !isLine(shape, record)

export function tableIn(shape: Shape, records: string[][]): string[][] {
  const wide = recordsOfWidth(shape, records)
  // A single record is not cached.
  if (records.length === 1) return wide.filter((record) => isRow(shape, record))
  const known = rowsBy.get(shape) ?? new WeakMap()
  rowsBy.set(shape, known)
  return wide.filter((record) => {
    const told = known.get(record) ?? isRow(shape, record)
    known.set(record, told)
    return told
  })
}

/** The header row, searched before the first row. */
export function titlesBefore(shape: Shape, { before }: Frame, records: string[][]) {
  const table = tableIn(shape, records)
  if (before > 0) return table[before - 1]
  const first = table[0] ? records.indexOf(table[0]) : records.length
  const { width } = shape
  // Rows may end with a delimiter that the header row lacks.
  const isWide = ({ length }: string[]) => length > 1 && (length === width || length + 1 === width)
  return records.slice(0, first).findLast((record) => isWide(record) && isTitles(record))
}

export const recordsOfWidth = ({ width }: Shape, records: string[][]): string[][] =>
  records.filter(({ length }) => width === undefined || length === width)

const filledIn = (row: string[]) => row.filter((cell) => cell !== '').length

/** The events among the records that look like rows. */
export const eventsIn = (records: string[][], { before, behind }: Frame): string[][] =>
  records.slice(before, Math.max(before, records.length - behind))

/**
 * Learns the frame: the records that are not events. A file without events shows most of it. The rest (a header
 * row only beside events, a total line) appears once more in two halves of a range than in the whole.
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
  // If a file without events has a line of its own, the rest precedes the events of the others.
  if (differs !== -1) return { before: Math.max(lead, size - behind), behind }
  return { before: lead + linesIn(files, lead, size - lead - behind), behind }
}

/** Whether a record shows a date where every event does; undefined: events show none. */
type FindDates = (events: string[][]) => ((record: string[]) => boolean) | undefined

/**
 * Finds the frame by dates: the records around dated ones, if as many of them are in each file as in one
 * without events, or as halves have more than the whole. An event that arrived meanwhile is counted by neither.
 */
function frameOfDates(files: string[][][], sizes: readonly number[], findDates: FindDates) {
  const whole = files.at(-1) ?? []
  const most = Math.max(...sizes)
  const events = whole.slice(most, whole.length - most)
  const isEvent = events.length > maxLines ? findDates(events) : undefined
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

/** Counts the lines at one end of the files: alike in all files, and unlike the next line. */
function linesIn(files: string[][][], from: number, maxFound: number): number {
  const [one = [], ...others] = files
  const isLine = (at: number) =>
    others.every((records) => isAlike(records[at], one[at])) && !isAlike(one[at], one[at + 1])
  let lines = 0
  while (lines < maxFound && isLine(from + lines)) lines += 1
  return lines
}

export function linesAround(records: string[][], rows: string[][]): Frame {
  const [first, last] = [rows[0], rows.at(-1)]
  const before = records.indexOf(first ?? [])
  return { before, behind: records.length - 1 - records.lastIndexOf(last ?? []) }
}

/** Records between rows, or cut short behind them, with another number of cells than the rows. */
export function problemsOfWidths(records: string[][], usual: number): Problem[] {
  const isRow = ({ length }: string[]) => length === usual
  const [first, last] = [records.findIndex(isRow), records.findLastIndex(isRow)]
  return records.flatMap((record, at) => {
    // Before and behind rows, a line of one word, or a word and a number, may describe the file.
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

/** Whether records differ only in numbers: a total line may hold a count, a time, a checksum. */
const isAlike = (a: string[] | undefined, b: string[] | undefined) =>
  isSameRecord(formOf(a), formOf(b))

const formOf = (record: string[] | undefined) =>
  record?.map((cell) => cell.replaceAll(/\S*\d\S*/g, '#').trim())

export const isSameRecord = (
  a: readonly string[] | undefined,
  b: readonly string[] | undefined,
): boolean => a !== undefined && a.length === b?.length && a.every((cell, at) => cell === b[at])
