import { malformedFinding } from '../findings/malformed.ts'
import { type Problem, problemUnless } from '../problem.ts'
import { mostFrequent } from './multiset.ts'
import { departures, isStrict, isTitles, type SureColumn, sureColumnsOf } from './sure-columns.ts'

export type Shape = {
  /** undefined: any number */
  width: number | undefined
  /** a row may have a single filled cell */
  lean: boolean
  /** what every event shows; empty if unknown */
  sure: readonly SureColumn[]
  /** the forms of the records of a file without events */
  known: ReadonlySet<string>
}

/** How many records stand before the first event, and behind the last. */
export type Lines = { before: number; behind: number }

/** More records of another shape than this are not title or total lines. */
const maxLines = 20

export function shapeOf(records: string[][], empty: readonly string[][] = []): Shape {
  const known = new Set(empty.map(lineForm))
  const others = records.filter((record) => !known.has(lineForm(record)))
  const tally = new Map<number, number>()
  for (const { length } of others) tally.set(length, (tally.get(length) ?? 0) + length)
  const usual = mostFrequent(tally) ?? 0
  const rows = others.filter(({ length }) => length === usual)
  const isEven = others.length - rows.length <= maxLines
  const sparse = rows.filter((row) => filledIn(row) === 1).length
  return {
    width: isEven ? usual : undefined,
    // With few columns, an event may fill only one.
    lean: usual < 4 || sparse > maxLines,
    sure: sureColumnsOf(isEven ? rows : others),
    known,
  }
}

/** The form of a line that names a filter or a total, without its digits. */
export const lineForm = (record: readonly string[]): string =>
  record.join('\n').replaceAll(/\p{Nd}+/gu, '0')

/** Whether a record differs at least twice from what every event shows: a heading or a total. */
export const isLine = ({ sure }: Shape, record: readonly string[]): boolean =>
  departures(sure, record) > 1

/** Whether a record shows what every event shows; if that is unknown, whether it is a row. */
export const isSurelyEvent = (shape: Shape, record: string[]): boolean =>
  tableIn(shape, [record]).length > 0 && departures(shape.sure, record) === 0

// A cache: files of a run hold the same rows again and again.
const rowsBy = new WeakMap<Shape, WeakMap<readonly string[], boolean>>()

const isRow = (shape: Shape, record: string[]) =>
  (shape.lean || filledIn(record) > 1) &&
  !isLine(shape, record) &&
  !shape.known.has(lineForm(record))

/** The events among records: rows from the first to the last with an id or number that every event shows. */
export function tableIn(shape: Shape, records: string[][]): string[][] {
  const known = rowsBy.get(shape) ?? new WeakMap<readonly string[], boolean>()
  rowsBy.set(shape, known)
  const rows = recordsOfWidth(shape, records).filter((record) => {
    const told = known.get(record) ?? isRow(shape, record)
    known.set(record, told)
    return told
  })
  const strict = shape.sure.filter(isStrict)
  const isEvent = (row: string[]) => strict.length === 0 || departures(strict, row) < strict.length
  const first = rows.findIndex(isEvent)
  return first === -1 ? [] : rows.slice(first, rows.findLastIndex(isEvent) + 1)
}

/** Whether a header row differs from events in any language. */
export const tellsEvents = ({ sure }: Shape): boolean => sure.some(isStrict)

/** The header row, searched before the first event. */
export function titlesBefore(shape: Shape, records: string[][]): string[] | undefined {
  const [event] = tableIn(shape, records)
  const { width } = shape
  // Rows may end with a delimiter that the header row lacks.
  const isWide = ({ length }: string[]) => length > 1 && (length === width || length + 1 === width)
  return records
    .slice(0, event && records.indexOf(event))
    .findLast((record) => isWide(record) && isTitles(record))
}

export const recordsOfWidth = ({ width }: Shape, records: string[][]): string[][] =>
  records.filter(({ length }) => width === undefined || length === width)

const filledIn = (row: string[]) => row.filter((cell) => cell !== '').length

export function linesAround(records: string[][], rows: string[][]): Lines {
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
    const flaw = { is: 'another width', record: at + 1, cells: record.length, usual } as const
    return problemUnless(isLine || isRow(record), malformedFinding(flaw), { judged: records })
  })
}

export const isSameRecord = (
  a: readonly string[] | undefined,
  b: readonly string[] | undefined,
): boolean => a !== undefined && a.length === b?.length && a.every((cell, at) => cell === b[at])
