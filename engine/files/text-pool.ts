// Texts and rows of files, held once: nearly every export of a run holds the same events.

/** As many as the files of a run have in common; beyond, what is held is of the latest files. */
const most = 100_000
/** V8 cuts none so short out of another: it is a copy already. */
const shortest = 13

let pool = new Map<string, string>()

/**
 * The same text, held once however many files it stands in: exports of one service hold the same events
 * again and again.
 */
export function pooled(text: string): string {
  const known = pool.get(text)
  if (known !== undefined) return known
  if (pool.size >= most) pool = new Map()
  const own = text.length < shortest ? text : detached(text)
  pool.set(own, own)
  return own
}

/** The same text as a copy: one that was cut out of another keeps the whole of it in memory. */
export const detached = (text: string): string => JSON.parse(JSON.stringify(text))

/** Keeps a row, and gives the one that is kept; undefined where no more can be kept. */
export type KeepRow = (cells: readonly string[]) => string[] | undefined

const megabyte = 1024 * 1024
/** Files that are made to be large end here; those of windows take some tens of megabytes. */
const maxBytes = 192 * megabyte
/** A reference in its row, and the head of a text. */
const bytesOfCell = 40

/** Creates what keeps each row of a run once, however many files hold it. */
export function createKeepRow(limit = maxBytes): KeepRow {
  const rows = new Map<number, string[]>()
  let bytes = 0
  return (cells) => {
    const key = keyOf(cells)
    const known = rows.get(key)
    if (known && isSame(known, cells)) return known
    if (bytes > limit) return undefined
    const row = cells.map(pooled)
    rows.set(key, row)
    bytes += row.reduce((sum, { length }) => sum + length * 2 + bytesOfCell, bytesOfCell)
    return row
  }
}

/**
 * A number that hardly two rows of a run share, by a few letters of each cell: of two that do, the one that
 * came first is kept twice where it comes again.
 */
function keyOf(cells: readonly string[]): number {
  let key = 0
  for (const cell of cells) {
    const step = 1 + (cell.length >> 3)
    key = Math.imul(key, 31) + cell.length
    for (let at = cell.length - 1; at >= 0; at -= step)
      key = Math.imul(key ^ cell.charCodeAt(at), 0x9e3779b1)
    key ^= key >>> 15
  }
  return key
}

const isSame = (row: readonly string[], cells: readonly string[]) =>
  row.length === cells.length && row.every((cell, at) => cell === cells[at])
