/**
 * How often each row of a file occurs, where there may be too many rows to keep. Rows are told apart
 * by 64 bits of a hash: of a million different ones, two are taken for the same in one of some ten
 * million files.
 */
export type Tally = {
  /** counts one more row */
  add(row: readonly string[]): void
  /** how many rows were counted */
  readonly rows: number
  /** how many of them differ from all others */
  readonly different: number
  /** how often a row of this or another tally over the same columns occurs here */
  countOf(row: Hash): number
  /** hears of each row that occurs, and how often */
  each(hear: (row: Hash, count: number) => void): void
}

export type Hash = { high: number; low: number }

/** Opens a tally, over all columns or over some. */
export function openTally(columns?: readonly number[]): Tally {
  // Three numbers for each row, in a table with room between them; objects would take ten times that.
  let size = 1 << 12
  let highs = new Uint32Array(size)
  let lows = new Uint32Array(size)
  let counts = new Uint32Array(size)
  let rows = 0
  let different = 0

  /** Where a row stands, or would stand. */
  function placeOf(high: number, low: number): number {
    let at = low & (size - 1)
    while (counts[at] !== 0 && (highs[at] !== high || lows[at] !== low)) at = (at + 1) & (size - 1)
    return at
  }

  function put(high: number, low: number, count: number) {
    const at = placeOf(high, low)
    if (counts[at] === 0) {
      highs[at] = high
      lows[at] = low
      different += 1
    }
    counts[at] = (counts[at] as number) + count
  }

  function each(hear: (row: Hash, count: number) => void) {
    for (let at = 0; at < size; at += 1)
      if (counts[at] !== 0)
        hear({ high: highs[at] as number, low: lows[at] as number }, counts[at] as number)
  }

  function grow() {
    const [oldHighs, oldLows, oldCounts] = [highs, lows, counts]
    size *= 2
    highs = new Uint32Array(size)
    lows = new Uint32Array(size)
    counts = new Uint32Array(size)
    different = 0
    for (let at = 0; at < oldCounts.length; at += 1)
      if (oldCounts[at] !== 0)
        put(oldHighs[at] as number, oldLows[at] as number, oldCounts[at] as number)
  }

  return {
    add(row) {
      let high = 0x811c9dc5
      let low = 0x9e3779b9
      const width = columns ? columns.length : row.length
      for (let n = 0; n < width; n += 1) {
        const cell = row[columns ? (columns[n] as number) : n] ?? ''
        for (let place = 0; place < cell.length; place += 1) {
          const letter = cell.charCodeAt(place)
          high = Math.imul(high ^ letter, 0x01000193)
          low = Math.imul(((low << 5) | (low >>> 27)) ^ letter, 0x9e3779b1)
        }
        // No letter is as large: cells do not run into each other.
        high = Math.imul(high ^ 0x10000, 0x01000193)
        low = Math.imul(((low << 5) | (low >>> 27)) ^ 0x10000, 0x9e3779b1)
      }
      put(mixed(high), mixed(low), 1)
      rows += 1
      if (different * 3 > size * 2) grow()
    },
    get rows() {
      return rows
    },
    get different() {
      return different
    },
    countOf: ({ high, low }) => counts[placeOf(high, low)] as number,
    each,
  }
}

/** Spreads what differs in a few bits over all 32. */
function mixed(bits: number): number {
  let hash = Math.imul(bits ^ (bits >>> 16), 0x7feb352d)
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b)
  return (hash ^ (hash >>> 16)) >>> 0
}
