// Records of files that leave out columns, or have them in another order: told by the titles of their columns.

import { isTitles } from './sure-columns.ts'

/** So many cells that are titles tell that a record holds nothing else. */
const minKnown = 3

/**
 * Creates what puts the cells of each record of a file, one by one, in the order of these titles: from the
 * record on that holds titles of theirs in another order, or not all of them.
 */
export function createByTitles(
  titles: readonly string[] | undefined,
): (record: string[]) => string[] {
  const known = titles && isTitles(titles) ? new Set(titles.filter((title) => title !== '')) : null
  let order: readonly number[] | undefined
  let width = 0
  return (record) => {
    if (!titles || !known) return record
    // One that is not known may be one of these in another language.
    const areKnown = record.length >= minKnown && record.every((cell) => known.has(cell))
    if (areKnown && new Set(record).size === record.length) {
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
