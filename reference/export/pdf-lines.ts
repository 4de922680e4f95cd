const gap = 2
const widest = 40

/** The width of each column in letters: what its cells need, or a share if that is too much. */
export function widthsFor(titles: string[], rows: string[][], letters: number): number[] {
  const room = letters - gap * (titles.length - 1)
  const needed = titles.map((title, n) =>
    rows.reduce((most, cells) => Math.max(most, cells[n]?.length ?? 0), title.length),
  )
  const capped = needed.map((width) => Math.min(width, widest))
  const spare = room - sum(capped)
  if (spare < 0) return capped.map((width) => Math.min(width, Math.floor(room / titles.length)))
  // The rest goes to the last column, which holds the text.
  return capped.map((width, n) => (n === capped.length - 1 ? width + spare : width))
}

/** The lines of a row: one if long cells are cut, else as many as needed. */
export function linesOf(cells: string[], widths: number[], long: 'cut' | 'wrap'): string[] {
  const columns = cells.map((cell, n) => piecesOf(cell, widths[n] ?? 0, long))
  const height = Math.max(1, ...columns.map((pieces) => pieces.length))
  return Array.from({ length: height }, (_, line) =>
    columns
      .map((pieces, n) => (pieces[line] ?? '').padEnd((widths[n] ?? 0) + gap))
      .join('')
      .trimEnd(),
  )
}

function piecesOf(cell: string, width: number, long: 'cut' | 'wrap'): string[] {
  if (cell.length <= width) return [cell]
  const letters = [...cell]
  if (long === 'cut') return [`${letters.slice(0, width - 1).join('')}…`]
  const count = Math.ceil(letters.length / width)
  return Array.from({ length: count }, (_, n) => letters.slice(n * width, (n + 1) * width).join(''))
}

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)
