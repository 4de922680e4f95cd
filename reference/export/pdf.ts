import type { AuditEvent } from '../calls/events.ts'
import type { Export } from '../calls/export-call.ts'
import type { PdfLayout } from '../rules/open-export.ts'
import type { Setup } from '../state/setup.ts'
import { inTurns } from './in-turns.ts'
import { linesOf, widthsFor } from './pdf-lines.ts'
import { glyphsOfFont, lineHeight, writePages } from './pdf-pages.ts'
import { tableOf } from './rows.ts'

const letterWidth = 0.602

/** Writes events as a PDF, streamed by pages. */
export async function* pdfOf(
  setup: Setup,
  asked: Export,
  events: AuditEvent[],
): AsyncGenerator<Uint8Array> {
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
