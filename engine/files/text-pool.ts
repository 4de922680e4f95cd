// Texts and rows held once: nearly every export of a run holds the same events.

import { hashOf } from './tally.ts'

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

/** Keeps a row and returns the kept one; undefined if the pool is full. */
export type KeepRow = (cells: readonly string[]) => string[] | undefined

const megabyte = 1024 * 1024
/** Large files stop here; those of windows take some tens of megabytes. */
const maxBytes = 192 * megabyte
/** A reference in its row, and the header of a string. */
const bytesOfCell = 40

/** Creates a pool that keeps each row of a run once. */
export function createKeepRow(limit = maxBytes): KeepRow {
  const rows = new Map<number, string[]>()
  /** rows whose key another row has too, by all their cells */
  const alike = new Map<number, string[]>()
  let bytes = 0
  const keep = (among: Map<number, string[]>, key: number, cells: readonly string[]) => {
    if (bytes > limit) return undefined
    const row = cells.map(pooled)
    among.set(key, row)
    bytes += row.reduce((sum, { length }) => sum + length * 2 + bytesOfCell, bytesOfCell)
    return row
  }
  return (cells) => {
    const key = keyOf(cells)
    const first = rows.get(key)
    if (!first) return keep(rows, key, cells)
    if (isSame(first, cells)) return first
    const hash = hashOf(cells)
    const known = alike.get(hash)
    return known && isSame(known, cells) ? known : keep(alike, hash, cells)
  }
}

/** A key that hardly two rows share, made of a few letters of each cell: the last and some before. */
function keyOf(cells: readonly string[]): number {
  let key = 0
  for (const cell of cells) {
    const step = 1 + (cell.length >> 3)
    const last = cell.length - 4
    key = Math.imul(key, 31) + cell.length
    for (let at = cell.length - 1; at >= 0; at -= at > last ? 1 : step)
      key = Math.imul(key ^ cell.charCodeAt(at), 0x9e3779b1)
    key ^= key >>> 15
  }
  return key
}

const isSame = (row: readonly string[], cells: readonly string[]) =>
  row.length === cells.length && row.every((cell, at) => cell === cells[at])
