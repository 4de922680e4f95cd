// A text that a narrow cell breaks, beside other cells whose lines stand in between.

/** As many letters as a line of a narrow cell has at least: fewer stand anywhere by chance. */
const leastPiece = 4
/** No row of few events is longer, in letters. */
const maxRow = 800

/**
 * Whether a text stands in another one, whole or in pieces, in their order and within one row: before
 * another of the texts that have rows of their own begins.
 */
export function standsBroken(text: string, part: string, others: readonly string[]): boolean {
  if (text.includes(part)) return true
  const begins = others
    .map((other) => other.slice(0, leastPiece))
    .filter((begin) => !part.includes(begin))
  const first = part.slice(0, leastPiece)
  for (let at = text.indexOf(first); at !== -1; at = text.indexOf(first, at + 1)) {
    const ends = begins.map((begin) => text.indexOf(begin, at)).filter((end) => end !== -1)
    if (standsInPieces(text.slice(at, Math.min(at + maxRow, ...ends)), part)) return true
  }
  return false
}

function standsInPieces(row: string, part: string): boolean {
  /** Where each beginning of the text ends at the earliest. */
  const ends = [0]
  for (let size = 1; size <= part.length; size += 1) {
    const isLast = size === part.length
    let end = Number.POSITIVE_INFINITY
    for (let before = size - (isLast ? 1 : leastPiece); before >= 0; before -= 1) {
      const from = ends[before] ?? 0
      const at = Number.isFinite(from) ? row.indexOf(part.slice(before, size), from) : -1
      if (at !== -1) end = Math.min(end, at + size - before)
    }
    ends.push(end)
  }
  return Number.isFinite(ends[part.length])
}
