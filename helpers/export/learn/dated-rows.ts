// Lines in front of a file that look like its rows, recognised because every row shows a date or an id.

import { dateIn, type Order, orders } from '../../../engine/files/dates.ts'
import { maxLines } from '../../../engine/files/line-frame.ts'

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
