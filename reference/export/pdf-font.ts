import { createRequire } from 'node:module'
import { join } from 'node:path'

// of one width for every letter: columns are made by counting, and a row is one text
const fontFile = import.meta.filename.endsWith('.ts')
  ? createRequire(import.meta.url).resolve('dejavu-fonts-ttf/ttf/DejaVuSansMono.ttf')
  : join(import.meta.dirname, 'mono.ttf')

type Glyph = { id: number; advanceWidth: number; codePoints: number[] }

/** A text as it is laid out: where each glyph stands by the one before. */
type Run = { glyphs: Glyph[]; positions: unknown[]; advanceWidth: number }

/** What pdfkit knows of the font of a document. */
type Font = {
  font: { hasGlyphForCodePoint(codePoint: number): boolean }
  layoutRun(text: string): Run
  layout(text: string): Run
}

/** A letter as it is laid out, whatever stands beside it. */
type Letter = { glyph: Glyph; position: unknown; width: number }

/** Whether a text has no letters but such as look the same beside any other. */
const isPlain = (text: string) => /^[\x20-\x7e\xa0-\u02ff\u2010-\u2027]*$/.test(text)

// Laying letters out takes longer than all else.
const letters = new Map<number, Letter>()

/** Sets the font of a document; gives what it has a picture for. */
export function setFont(document: PDFKit.PDFDocument): (codePoint: number) => boolean {
  const { _font: used } = document.font(fontFile) as unknown as { _font: Font }
  const layout = used.layout.bind(used)
  const layOut = (code: number): Letter => {
    const run = used.layoutRun(String.fromCharCode(code))
    const { id, advanceWidth, codePoints } = run.glyphs[0] as Glyph
    // The glyph of the font itself would keep the whole font in memory.
    const glyph = { id, advanceWidth, codePoints }
    const letter = { glyph, position: run.positions[0], width: run.advanceWidth }
    letters.set(code, letter)
    return letter
  }
  used.layout = (text) => {
    if (!isPlain(text)) return layout(text)
    const run: Run = { glyphs: [], positions: [], advanceWidth: 0 }
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at)
      const { glyph, position, width } = letters.get(code) ?? layOut(code)
      run.glyphs.push(glyph)
      run.positions.push(position)
      run.advanceWidth += width
    }
    return run
  }
  return (codePoint) => used.font.hasGlyphForCodePoint(codePoint)
}
