// Texts and rows held once: nearly every export of a run holds the same events.

/** As many as the files of a run share. Beyond that, the latest files win. */
const most = 100_000
/** V8 copies shorter slices anyway. */
const shortest = 13

let pool = new Map<string, string>()

export function pooled(text: string): string {
  const known = pool.get(text)
  if (known !== undefined) return known
  if (pool.size >= most) pool = new Map()
  const own = text.length < shortest ? text : detached(text)
  pool.set(own, own)
  return own
}

/** A copy of a text: a slice would keep the whole text in memory. */
export const detached = (text: string): string => JSON.parse(JSON.stringify(text))

export type KeepRow = (cells: readonly string[]) => string[] | undefined

const megabyte = 1024 * 1024
/** Large files stop here; those of windows take some tens of megabytes. */
const maxBytes = 192 * megabyte
/** A reference in its row, and the header of a string. */
const bytesOfCell = 40

export function createKeepRow(limit = maxBytes): KeepRow {
  const rows = new Map<number, string[]>()
  let bytes = 0
  return (cells) => {
    const hash = hashOf(cells)
    const known = rows.get(hash)
    if (known && isSame(known, cells)) return known
    if (bytes > limit) return undefined
    const row = cells.map(pooled)
    rows.set(hash, row)
    bytes += row.reduce((sum, { length }) => sum + length * 2 + bytesOfCell, bytesOfCell)
    return row
  }
}

const isSame = (row: readonly string[], cells: readonly string[]) =>
  row.length === cells.length && row.every((cell, at) => cell === cells[at])

/** 53 bits that tell rows apart: in a file of a million rows two collide once in some 18,000 files. */
function hashOf(cells: readonly string[]): number {
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
