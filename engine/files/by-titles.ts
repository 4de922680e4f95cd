// Records of files that omit columns or reorder them, matched by the titles of their columns.

import { isSameRecord } from './line-frame.ts'
import { isTitles } from './sure-columns.ts'

/** A record with this many known titles is a header row. */
const minKnown = 3

function areAmong(titles: readonly string[]): (record: readonly string[]) => boolean {
  const known = new Set(isTitles(titles) ? titles.filter((title) => title !== '') : [])
  // An unknown cell may be a title in another language.
  return (record) =>
    record.length >= minKnown &&
    record.every((cell) => known.has(cell)) &&
    new Set(record).size === record.length
}

/**
 * Creates a function that puts the cells of each record into the order of these titles. It starts when a
 * record holds their titles in another order, or only some of them.
 */
export function createByTitles(
  titles: readonly string[] | undefined,
): (record: string[]) => string[] {
  if (!titles) return (record) => record
  const areTitles = areAmong(titles)
  let order: readonly number[] | undefined
  let width = 0
  return (record) => {
    if (areTitles(record)) {
      const isSame = isSameRecord(record, titles)
      order = isSame
        ? undefined
        : titles.map((title) => (title === '' ? -1 : record.indexOf(title)))
      width = record.length
      return isSame ? record : [...titles]
    }
    return order && record.length === width ? order.map((at) => record[at] ?? '') : record
  }
}

/** The columns with these titles that a file has. Without a header row, all of them. */
export function columnsIn(
  titles: readonly string[] | undefined,
  { columns, records }: { columns: readonly number[]; records: readonly string[][] },
): number[] {
  const named = titles && records.find(areAmong(titles))
  return named ? columns.filter((column) => named.includes(titles[column] ?? '')) : [...columns]
}
