import { createRequire } from 'node:module'
import { join } from 'node:path'

// A monospaced font: columns are made by counting letters, and a row is one text.
const fontFile = import.meta.filename.endsWith('.ts')
  ? createRequire(import.meta.url).resolve('dejavu-fonts-ttf/ttf/DejaVuSansMono.ttf')
  : join(import.meta.dirname, 'mono.ttf')

type Glyph = { id: number; advanceWidth: number; codePoints: number[] }

type Run = { glyphs: Glyph[]; positions: unknown[] }

/** The parts of pdfkit's font that are used here. */
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
export function setFont(document: PDFKit.PDFDocument): (codePoint: number) => boolean {
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
