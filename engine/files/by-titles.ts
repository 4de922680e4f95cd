// Records of files that leave out columns, or have them in another order: told by the titles of their columns.

import { isTitles } from './sure-columns.ts'

/** As many of them that are known tell that a record is titles, and no event. */
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
    const found = record.filter((cell) => known.has(cell)).length
    // As many columns under other names are renamed, and neither left out nor added.
    const isRenamed = record.length === titles.length && found < known.size
    if (found >= minKnown && found * 2 > record.length && !isRenamed && isTitles(record)) {
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
