// Records of files that omit columns or reorder them, matched by the titles of their columns.

import { isSameRecord } from './line-frame.ts'
import { isTitles } from './sure-columns.ts'

/** A record with this many known titles, and no other cell, is a header row. */
const minKnown = 3

/** Records with their cells in the order of these titles. */
export function inOrderOf(titles: readonly string[] | undefined, records: string[][]): string[][] {
  if (!titles || !isTitles(titles)) return records
  const known = new Set(titles.filter(Boolean))
  // An unknown cell may be a title in another language.
  const header = records.find(
    (record) =>
      record.length >= minKnown &&
      record.every((cell) => known.has(cell)) &&
      new Set(record).size === record.length,
  )
  if (!header || isSameRecord(header, titles)) return records
  const order = titles.map((title) => (title === '' ? -1 : header.indexOf(title)))
  return records.map((record) => {
    if (record === header) return [...titles]
    return record.length === header.length ? order.map((at) => record[at] ?? '') : record
  })
}
