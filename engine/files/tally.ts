/**
 * Counts how often each row of a file occurs, if there are too many rows to keep. Rows are distinguished by
 * 53 bits of a hash: in a file of a million rows two collide once in some 18,000 files.
 */
export type Tally = ReturnType<typeof createTally>

export function createTally(columns?: readonly number[]) {
  /** by hash; comparable with another tally over the same columns */
  const counts = new Map<number, number>()
  let rows = 0
  return {
    add(row: readonly string[]): void {
      const hash = hashOf(columns ? columns.map((column) => row[column] ?? '') : row)
      counts.set(hash, (counts.get(hash) ?? 0) + 1)
      rows += 1
    },
    get rows() {
      return rows
    },
    counts,
  }
}

/** 53 bits that distinguish rows. */
export function hashOf(cells: readonly string[]): number {
  let high = 0x811c9dc5
  let low = 0x9e3779b9
  for (const cell of cells)
    for (let place = 0; place <= cell.length; place += 1) {
      // No letter is as large as the end mark, so cells do not run into each other.
      const letter = place < cell.length ? cell.charCodeAt(place) : 0x10000
      high = Math.imul(high ^ letter, 0x01000193)
      low = Math.imul(((low << 5) | (low >>> 27)) ^ letter, 0x9e3779b1)
    }
  return (mixed(high) >>> 11) * 2 ** 32 + mixed(low)
}

/** Spreads a difference of few bits over all 32. */
function mixed(bits: number): number {
  let hash = Math.imul(bits ^ (bits >>> 16), 0x7feb352d)
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b)
  return (hash ^ (hash >>> 16)) >>> 0
}
