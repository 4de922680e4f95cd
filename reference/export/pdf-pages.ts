import { setImmediate } from 'node:timers/promises'
import type { PdfLayout } from '../rules/open-export.ts'
import { setFont } from './pdf-font.ts'

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

/** Which letters the font of a PDF has. */
export function glyphsOfFont(): Promise<(codePoint: number) => boolean> {
  glyphs ??= openDocument({}).then(({ hasGlyph }) => hasGlyph)
  return glyphs
}

/** Writes a PDF, streamed by pages. */
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
