import { createRequire } from 'node:module'
import { join } from 'node:path'

// of one width for every letter: columns are made by counting, and a row is one text
const fontFile = import.meta.filename.endsWith('.ts')
  ? createRequire(import.meta.url).resolve('dejavu-fonts-ttf/ttf/DejaVuSansMono.ttf')
  : join(import.meta.dirname, 'mono.ttf')

type Glyph = { id: number; advanceWidth: number; codePoints: number[] }

/** A word as it is laid out. */
type Run = { glyphs: Glyph[]; positions: unknown[]; advanceWidth: number }

/** What pdfkit knows of the font of a document. */
type Font = {
  font: { hasGlyphForCodePoint(codePoint: number): boolean }
  layoutRun(word: string): Run
  layoutCached(word: string): Run
}

/** One takes some kilobytes. */
const maxWords = 3000

// Laying words out takes longer than all else, and documents hold the same ones again and again.
let words = new Map<string, Run>()

/** Sets the font of a document; gives what it has a picture for. */
export function setFont(document: PDFKit.PDFDocument): (codePoint: number) => boolean {
  const { _font: used } = document.font(fontFile) as unknown as { _font: Font }
  used.layoutCached = (word) => {
    const known = words.get(word)
    if (known) return known
    if (words.size >= maxWords) words = new Map()
    const run = used.layoutRun(word)
    // A glyph of the font itself would keep the whole font in memory.
    const glyphs = run.glyphs.map(({ id, advanceWidth, codePoints }) => ({
      id,
      advanceWidth,
      codePoints,
    }))
    const kept = { glyphs, positions: run.positions, advanceWidth: run.advanceWidth }
    words.set(word, kept)
    return kept
  }
  return (codePoint) => used.font.hasGlyphForCodePoint(codePoint)
}
