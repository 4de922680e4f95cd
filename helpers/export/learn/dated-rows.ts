// Lines in front of a file that look like its rows, told by the date that every row shows.

import { dateIn, type Order } from '../../../engine/files/dates.ts'
import { maxLines } from '../../../engine/files/line-frame.ts'

/** A column in which every event of the window shows a date, and in which order. */
export type Dated = { column: number; order: Order }

const orders: Order[] = ['ymd', 'dmy', 'mdy', 'epoch', 'days']

export function findDated(rows: readonly (readonly string[])[]): Dated | undefined {
  for (const [column] of (rows[0] ?? []).entries())
    for (const order of orders)
      if (rows.every((row) => isDated(row, { column, order }))) return { column, order }
  return undefined
}

/** Whether a record shows a date where all of these events do. */
export function datesIn(events: readonly string[][]): ((record: string[]) => boolean) | undefined {
  const dated = findDated(events)
  return dated && ((record) => isDated(record, dated))
}

/**
 * Where the events begin, of records that begin at `from` as far as their number tells: titles may name the
 * filters, a line for each. Another language may write dates in words, but none without a digit.
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
  const isSure = lines < rows.length && rows.slice(lines).every(isEvent)
  return from + (isSure ? lines : linesBefore((row) => mayBeDate(row[dated.column] ?? '')))
}

const isDated = (row: readonly string[], { column, order }: Dated): boolean =>
  dateIn(row[column] ?? '', order) !== undefined

const mayBeDate = (cell: string): boolean =>
  /\p{Nd}/u.test(cell) && !/[\da-f]{8}-([\da-f]{4}-){3}[\da-f]{12}/i.test(cell)
