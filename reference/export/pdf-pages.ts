import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { PdfLayout } from '../rules/open-export.ts'

// A monospaced font: columns are made by counting letters, and a row is one text.
const fontFile = import.meta.filename.endsWith('.ts')
  ? createRequire(import.meta.url).resolve('dejavu-fonts-ttf/ttf/DejaVuSansMono.ttf')
  : join(import.meta.dirname, 'mono.ttf')

type Glyph = { id: number; advanceWidth: number; codePoints: number[] }

type Run = { glyphs: Glyph[]; positions: unknown[] }

type Font = {
  font: { hasGlyphForCodePoint(codePoint: number): boolean }
  layoutRun(text: string): Run
  layout(text: string): Run
  widthOfString(text: string): number
}

/** A glyph whose form does not depend on its neighbours. */
type Letter = { glyph: Glyph; position: unknown }

/** Whether all letters look the same beside any other. */
const isPlain = (text: string) => /^[\x20-\x7e\xa0-\u02ff\u2010-\u2027]*$/.test(text)

/** Plain letters one by one; others with their word. */
const partsOf = (text: string): Iterable<string> =>
  isPlain(text)
    ? text
    : text.split(/(?<=[ \t])/).flatMap((word) => (isPlain(word) ? [...word] : [word]))

// Cached: layout takes longer than everything else.
const laidOut = new Map<string, Letter[]>()
const most = 20_000

/** Sets the font of a document and returns which letters it has. */
function setFont(document: PDFKit.PDFDocument): (codePoint: number) => boolean {
  const { _font: used } = document.font(fontFile) as unknown as { _font: Font }
  const layOut = (part: string): Letter[] => {
    const { glyphs, positions } = used.layoutRun(part)
    const letters = positions.map((position, at) => {
      const { id, advanceWidth, codePoints } = glyphs[at] as Glyph
      // The font's own glyph object would keep the whole font in memory.
      return { glyph: { id, advanceWidth, codePoints }, position }
    })
    if (laidOut.size >= most) laidOut.clear()
    laidOut.set(part, letters)
    return letters
  }
  used.layout = (text) => {
    const run: Run = { glyphs: [], positions: [] }
    for (const part of partsOf(text))
      for (const { glyph, position } of laidOut.get(part) ?? layOut(part)) {
        run.glyphs.push(glyph)
        run.positions.push(position)
      }
    return run
  }
  // pdfkit asks for it with each line, for links and the next position, which are set explicitly.
  used.widthOfString = () => 0
  return (codePoint) => used.font.hasGlyphForCodePoint(codePoint)
}

export const lineHeight = 1.3

export type PdfPages = {
  layout: PdfLayout
  /** milliseconds since 1970 */
  created: number
  /** the lines of each */
  pages: string[][]
}

/** Opens a document without pages. pdfkit is loaded here alone: it loads longer than a whole service. */
async function openDocument(options: Omit<PDFKit.PDFDocumentOptions, 'autoFirstPage'>) {
  const { default: Document } = await import('pdfkit')
  const document = new Document({ ...options, autoFirstPage: false })
  return { document, hasGlyph: setFont(document) }
}

let glyphs: Promise<(codePoint: number) => boolean> | undefined

export function glyphsOfFont(): Promise<(codePoint: number) => boolean> {
  glyphs ??= openDocument({}).then(({ hasGlyph }) => hasGlyph)
  return glyphs
}

export async function* writePages({
  layout,
  created,
  pages,
}: PdfPages): AsyncGenerator<Uint8Array> {
  const { page: size, margin } = layout
  const info = { Title: 'Audit events', CreationDate: new Date(created) }
  const { document } = await openDocument({ size, margin: 0, info })
  document.fontSize(layout.size)
  for (const lines of pages) {
    document.addPage()
    for (const [n, line] of lines.entries()) {
      document.text(line, margin, margin + n * layout.size * lineHeight, { lineBreak: false })
    }
    const written = document.read()
    if (written) yield written
    // Serve other requests between pages.
    await setImmediate()
  }
  document.end()
  yield* document as AsyncIterable<Uint8Array>
}
