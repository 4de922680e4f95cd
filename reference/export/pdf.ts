import { setImmediate } from 'node:timers/promises'
import type { AuditEvent } from '../calls/events.ts'
import type { Export } from '../calls/export-call.ts'
import type { PdfLayout } from '../rules/open-export.ts'
import type { Setup } from '../state/setup.ts'
import { inTurns } from './in-turns.ts'
import { setFont } from './pdf-font.ts'
import { linesOf, widthsFor } from './pdf-lines.ts'
import { tableOf } from './rows.ts'

const letterWidth = 0.602
const lineHeight = 1.3

/** Writes events as a PDF, page by page as the caller takes them. */
export async function* pdfOf(
  setup: Setup,
  asked: Export,
  events: AuditEvent[],
): AsyncGenerator<Uint8Array> {
  const { stated, open, clock } = setup
  // loaded only here: it takes longer than a whole service
  const { default: Document } = await import('pdfkit')
  const layout = open.pdfLayout(asked)
  const { page: size, margin } = layout
  const info = { Title: 'Audit events', CreationDate: new Date(clock()) }
  const document = new Document({ size, margin: 0, autoFirstPage: false, info })
  const hasGlyph = setFont(document)
  document.fontSize(layout.size)
  const fits = fitting(layout)

  const { titles, row } = tableOf(setup, asked)
  const shown = shownWith(hasGlyph)
  const rows = await inTurns(events, (event) => row(event).map(shown))
  const widths = widthsFor(titles, rows, fits.letters)
  const head = open.titleLines(asked).map(shown)
  if (open.headerRow(asked)) head.push(...linesOf(titles.map(shown), widths, 'cut'))
  const pages = inPages(
    await inTurns(rows, (cells) => linesOf(cells, widths, layout.long)),
    fits.lines - head.length,
  )
  for (const lines of stated.pages({ ...asked, pages })) {
    document.addPage()
    for (const [n, line] of [...head, ...lines].entries()) {
      document.text(line, margin, margin + n * layout.size * lineHeight, { lineBreak: false })
    }
    const written = document.read()
    if (written) yield written
    // others are served between pages
    await setImmediate()
  }
  document.end()
  yield* document as AsyncIterable<Uint8Array>
}

const fitting = ({ page: [width, height], margin, size }: PdfLayout) => ({
  letters: Math.floor((width - 2 * margin) / (size * letterWidth)),
  lines: Math.floor((height - 2 * margin) / (size * lineHeight)),
})

/** Fills pages with rows; a row is not divided, and without rows there is one empty page. */
function inPages(rows: string[][], linesPerPage: number): string[][] {
  const pages: string[][] = [[]]
  for (const lines of rows) {
    const page = pages.at(-1) as string[]
    if (page.length === 0 || page.length + lines.length <= linesPerPage) page.push(...lines)
    else pages.push([...lines])
  }
  return pages
}

/** Makes texts such as the font can show them: what it lacks is replaced, and nothing dropped. */
const shownWith = (hasGlyph: (codePoint: number) => boolean) => (text: string) =>
  /^[ -~]*$/.test(text)
    ? text
    : Array.from(text.replaceAll(/\s+/g, ' '), (letter) =>
        hasGlyph(letter.codePointAt(0) as number) ? letter : '\uFFFD',
      ).join('')
