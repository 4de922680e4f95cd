import { Readable } from 'node:stream'
import { createDeflate, deflateSync } from 'node:zlib'
import PDFDocument from 'pdfkit'

/** A PDF of these objects; the first one is its catalog. */
export function rawPdf(objects: (string | Buffer)[]): Buffer {
  const pieces = [Buffer.from('%PDF-1.7\n')]
  const size = () => pieces.reduce((sum, piece) => sum + piece.length, 0)
  const offsets = objects.map((object, at) => {
    const offset = size()
    pieces.push(Buffer.from(`${at + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n'))
    return offset
  })
  const start = size()
  const lines = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`)
  const count = objects.length + 1
  pieces.push(
    Buffer.from(`xref\n0 ${count}\n0000000000 65535 f \n${lines.join('')}`),
    Buffer.from(`trailer\n<< /Size ${count} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`),
  )
  return Buffer.concat(pieces)
}

const streamOf = (bytes: Buffer): Buffer => deflatedStream(deflateSync(bytes))

function deflatedStream(deflated: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`<< /Length ${deflated.length} /Filter /FlateDecode >>\nstream\n`),
    deflated,
    Buffer.from('\nendstream'),
  ])
}

/** A PDF of one page with this content; F1 is a font, X1 the page's own content. */
export const pageOf = (content: string): Buffer => pageWith(streamOf(Buffer.from(content)))

/** A PDF with a picture alone: one pixel, as large as the page. */
export const pictureOf = (): Buffer =>
  pageOf('q 600 0 0 800 0 0 cm BI /W 1 /H 1 /BPC 8 /CS /G ID x EI Q')

/** A PDF whose content inflates to this many megabytes of nothing. */
export async function bomb(megabytes: number): Promise<Buffer> {
  const spaces = Buffer.alloc(1024 * 1024, ' ')
  const deflated = Readable.from(Array.from({ length: megabytes }, () => spaces)).pipe(
    createDeflate(),
  )
  const chunks: Buffer[] = []
  for await (const chunk of deflated) chunks.push(chunk as Buffer)
  return pageWith(deflatedStream(Buffer.concat(chunks)))
}

const pageWith = (content: Buffer): Buffer =>
  rawPdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> /XObject << /X1 6 0 R >> >> >>',
    content,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    selfReferring,
  ])

const selfReferring =
  '<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X1 6 0 R >> >> /Length 6 >>\nstream\n/X1 Do\nendstream'

/** A usual PDF with a line of text on each page. */
export async function madePdf(lines: string[], options: PDFKit.PDFDocumentOptions = {}) {
  const document = new PDFDocument({ ...options, autoFirstPage: false })
  for (const line of lines) document.addPage().text(line)
  document.end()
  const chunks: Buffer[] = []
  for await (const chunk of document) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
