// Records of files that omit columns or reorder them, matched by the titles of their columns.

import { isSameRecord } from './line-frame.ts'
import { isTitles } from './sure-columns.ts'

type Titles = readonly string[] | undefined

/** A record with this many known titles, and no other cell, is a header row. */
const minKnown = 3

const headerAmong = (titles: Titles, records: readonly string[][]): string[] | undefined => {
  const known = new Set(titles && isTitles(titles) ? titles.filter(Boolean) : [])
  // An unknown cell may be a title in another language.
  return records.find(
    (record) =>
      record.length >= minKnown &&
      record.every((cell) => known.has(cell)) &&
      new Set(record).size === record.length,
  )
}

/** Records with their cells in the order of these titles. */
export function inOrderOf(titles: Titles, records: string[][]): string[][] {
  const header = headerAmong(titles, records)
  if (!titles || !header || isSameRecord(header, titles)) return records
  const order = titles.map((title) => (title === '' ? -1 : header.indexOf(title)))
  return records.map((record) => {
    if (record === header) return [...titles]
    return record.length === header.length ? order.map((at) => record[at] ?? '') : record
  })
}

/** without a header row, all columns */
export function columnsIn(
  titles: Titles,
  { columns, records }: { columns: readonly number[]; records: readonly string[][] },
): number[] {
  const named = headerAmong(titles, records)
  return named ? columns.filter((column) => named.includes(titles?.[column] ?? '')) : [...columns]
}
