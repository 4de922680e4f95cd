/**
 * How often each row of a file occurs, where there may be too many rows to keep. Rows are told apart
 * by 53 bits of a hash: of a million different ones, two are taken for the same in one of some
 * 18,000 files, and then they are counted together.
 */
export type Tally = {
  /** counts one more row */
  add(row: readonly string[]): void
  /** how many rows were counted */
  readonly rows: number
  /** how often each row occurs, by its hash: the same in another tally over the same columns */
  counts: ReadonlyMap<number, number>
}

/** Creates a tally, over all columns or over some. */
export function createTally(columns?: readonly number[]): Tally {
  const counts = new Map<number, number>()
  let rows = 0
  return {
    add(row) {
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

/** 53 bits that tell rows apart. */
export function hashOf(cells: readonly string[]): number {
  let high = 0x811c9dc5
  let low = 0x9e3779b9
  for (const cell of cells)
    for (let place = 0; place <= cell.length; place += 1) {
      // No letter is as large as what ends a cell: cells do not run into each other.
      const letter = place < cell.length ? cell.charCodeAt(place) : 0x10000
      high = Math.imul(high ^ letter, 0x01000193)
      low = Math.imul(((low << 5) | (low >>> 27)) ^ letter, 0x9e3779b1)
    }
  return (mixed(high) >>> 11) * 2 ** 32 + mixed(low)
}

/** Spreads what differs in a few bits over all 32. */
function mixed(bits: number): number {
  let hash = Math.imul(bits ^ (bits >>> 16), 0x7feb352d)
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b)
  return (hash ^ (hash >>> 16)) >>> 0
}
