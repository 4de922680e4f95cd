/**
 * Counts how often each row of a file occurs, where there are too many rows to keep. Rows are told apart by
 * 53 bits of a hash: in a file of a million rows two collide once in some 18,000 files.
 */
export type Tally = ReturnType<typeof createTally>

export function createTally(columns?: readonly number[]) {
  const counts = createCounts()
  let rows = 0
  return {
    add(row: readonly string[]): void {
      const hash = hashOf(columns ? columns.map((column) => row[column] ?? '') : row)
      counts.add(hash)
      rows += 1
    },
    get rows() {
      return rows
    },
    /** counts by hash; comparable with another tally over the same columns */
    counts,
  }
}

/** Typed arrays take half the memory of a map with a million hashes. */
function createCounts() {
  let hashes = new Float64Array(1024)
  let counts = new Uint32Array(1024)
  let size = 0
  /** The slot of a hash, or the free slot for it. */
  const placeOf = (hash: number): number => {
    const last = hashes.length - 1
    let at = hash & last
    while (counts[at] !== 0 && hashes[at] !== hash) at = (at + 1) & last
    return at
  }
  const grow = () => {
    const [before, countsBefore] = [hashes, counts]
    hashes = new Float64Array(before.length * 2)
    counts = new Uint32Array(before.length * 2)
    for (const [from, count] of countsBefore.entries()) {
      if (count === 0) continue
      const hash = before[from] as number
      const at = placeOf(hash)
      hashes[at] = hash
      counts[at] = count
    }
  }
  function* all(): Generator<[number, number]> {
    for (const [at, count] of counts.entries()) if (count > 0) yield [hashes[at] as number, count]
  }
  return {
    add(hash: number): void {
      const at = placeOf(hash)
      if (counts[at] === 0) {
        hashes[at] = hash
        size += 1
      }
      counts[at] = (counts[at] ?? 0) + 1
      if (size * 4 > hashes.length * 3) grow()
    },
    get: (hash: number): number | undefined => counts[placeOf(hash)] || undefined,
    get size() {
      return size
    },
    *keys() {
      for (const [hash] of all()) yield hash
    },
    *values() {
      for (const [, count] of all()) yield count
    },
    [Symbol.iterator]: all,
  }
}

/** 53 bits that tell rows apart. */
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
