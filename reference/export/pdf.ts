import { setImmediate } from 'node:timers/promises'
import type { AuditEvent } from '../calls/events.ts'
import type { Export } from '../calls/export-call.ts'
import type { PdfLayout } from '../rules/open-export.ts'
import type { Setup } from '../state/setup.ts'
import { glyphsOfFont, lineHeight, writePages } from './pdf-pages.ts'
import { tableOf } from './rows.ts'

const letterWidth = 0.602

export async function* pdfOf(setup: Setup, asked: Export, events: AuditEvent[]) {
  const { stated, open, clock } = setup
  const layout = open.pdfLayout(asked)
  const fits = fitting(layout)

  const { titles, row } = tableOf(setup, asked)
  const shown = shownWith(await glyphsOfFont())
  const rows = await inTurns(events, (event) => row(event).map(shown))
  const widths = widthsFor(titles, rows, fits.letters)
  const head = open.titleLines(asked).map(shown)
  if (open.headerRow(asked)) head.push(...linesOf(titles.map(shown), widths, 'cut'))
  const pages = inPages(
    await inTurns(rows, (cells) => linesOf(cells, widths, layout.long)),
    fits.lines - head.length,
  )
  // PDF dates have no fractions of a second.
  const created = Math.floor(clock() / 1000) * 1000
  const all = stated.pages({ ...asked, pages }).map((lines) => [...head, ...lines])
  yield* writePages({ layout, created, pages: all })
}

const fitting = ({ page: [width, height], margin, size }: PdfLayout) => ({
  letters: Math.floor((width - 2 * margin) / (size * letterWidth)),
  lines: Math.floor((height - 2 * margin) / (size * lineHeight)),
})

function inPages(rows: string[][], linesPerPage: number): string[][] {
  const pages: string[][] = [[]]
  for (const lines of rows) {
    const page = pages.at(-1) as string[]
    if (page.length === 0 || page.length + lines.length <= linesPerPage) page.push(...lines)
    else pages.push([...lines])
  }
  return pages
}

/** Replaces letters that the font lacks, and drops none. */
const shownWith = (hasGlyph: (codePoint: number) => boolean) => (text: string) =>
  /^[ -~]*$/.test(text)
    ? text
    : Array.from(text.replaceAll(/\s+/g, ' '), (letter) =>
        hasGlyph(letter.codePointAt(0) as number) ? letter : '\uFFFD',
      ).join('')

const gap = 2
const widest = 40

/** The width of each column in letters: what its cells need, or a share if that is too much. */
function widthsFor(titles: string[], rows: string[][], letters: number): number[] {
  const room = letters - gap * (titles.length - 1)
  const needed = titles.map((title, n) =>
    rows.reduce((most, cells) => Math.max(most, cells[n]?.length ?? 0), title.length),
  )
  const capped = needed.map((width) => Math.min(width, widest))
  const spare = room - capped.reduce((total, width) => total + width, 0)
  if (spare < 0) return capped.map((width) => Math.min(width, Math.floor(room / titles.length)))
  // The rest goes to the last column, which holds the text.
  return capped.map((width, n) => (n === capped.length - 1 ? width + spare : width))
}

/** The lines of a row: one if long cells are cut, else as many as needed. */
function linesOf(cells: string[], widths: number[], long: 'cut' | 'wrap'): string[] {
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

const atOnce = 200

/** Maps many items in batches and serves other requests in between. */
export async function inTurns<Given, Made>(list: readonly Given[], make: (one: Given) => Made) {
  const made: Made[] = []
  for (let n = 0; n < list.length; n += atOnce) {
    if (n > 0) await setImmediate()
    for (const one of list.slice(n, n + atOnce)) made.push(make(one))
  }
  return made
}
