import { createRequire } from 'node:module'
import { join } from 'node:path'

// of one width for every letter: columns are made by counting, and a row is one text
const fontFile = import.meta.filename.endsWith('.ts')
  ? createRequire(import.meta.url).resolve('dejavu-fonts-ttf/ttf/DejaVuSansMono.ttf')
  : join(import.meta.dirname, 'mono.ttf')

/** What pdfkit keeps of the font of a document. */
type Font = {
  font: { hasGlyphForCodePoint(codePoint: number): boolean }
  layoutCache: Record<string, unknown>
}

/** A word takes some kilobytes. */
const maxWords = 3000

// Reading the font and laying out its words take longer than all else: documents share them.
let read: Font['font'] | undefined
let words: Font['layoutCache'] = {}

/** Sets the font of a document; gives what it has a picture for. */
export function setFont(document: PDFKit.PDFDocument): (codePoint: number) => boolean {
  document.font((read as never) ?? fontFile)
  const kept = (document as unknown as { _font: Font })._font
  if (Object.keys(words).length > maxWords) words = {}
  kept.layoutCache = words
  read = kept.font
  return (codePoint) => kept.font.hasGlyphForCodePoint(codePoint)
}
