// Records of files that leave out columns, or have them in another order: told by the titles of their columns.

import { isTitles } from './sure-columns.ts'

/** So many cells that are titles tell that a record holds nothing else. */
const minKnown = 3

/** Whether a record holds some of these titles, or all, and nothing else. */
function areAmong(titles: readonly string[]): (record: readonly string[]) => boolean {
  const known = new Set(isTitles(titles) ? titles.filter((title) => title !== '') : [])
  // One that is not known may be one of these in another language.
  return (record) =>
    record.length >= minKnown &&
    record.every((cell) => known.has(cell)) &&
    new Set(record).size === record.length
}

/**
 * Creates what puts the cells of each record of a file, one by one, in the order of these titles: from the
 * record on that holds titles of theirs in another order, or not all of them.
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
      const isSame =
        record.length === titles.length && record.every((cell, at) => cell === titles[at])
      order = isSame
        ? undefined
        : titles.map((title) => (title === '' ? -1 : record.indexOf(title)))
      width = record.length
      return isSame ? record : [...titles]
    }
    return order && record.length === width ? order.map((at) => record[at] ?? '') : record
  }
}

/** Those of the columns with these titles that a file has: all, unless a record of it names some of them. */
export function columnsIn(
  titles: readonly string[] | undefined,
  { columns, records }: { columns: readonly number[]; records: readonly string[][] },
): number[] {
  const named = titles && records.find(areAmong(titles))
  return columns.filter((column) => !named || named.includes(titles?.[column] ?? ''))
}
