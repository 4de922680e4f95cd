import { createRequire } from 'node:module'
import { join } from 'node:path'

// of one width for every letter: columns are made by counting, and a row is one text
const fontFile = import.meta.filename.endsWith('.ts')
  ? createRequire(import.meta.url).resolve('dejavu-fonts-ttf/ttf/DejaVuSansMono.ttf')
  : join(import.meta.dirname, 'mono.ttf')

type Glyph = { id: number; advanceWidth: number; codePoints: number[] }

/** A text as it is laid out: where each glyph stands by the one before. */
type Run = { glyphs: Glyph[]; positions: unknown[] }

/** What pdfkit knows of the font of a document. */
type Font = {
  font: { hasGlyphForCodePoint(codePoint: number): boolean }
  layoutRun(text: string): Run
  layout(text: string): Run
  widthOfString(text: string): number
}

/** A glyph as it is laid out, whatever stands beside it. */
type Letter = { glyph: Glyph; position: unknown }

/** Whether a text has no letters but such as look the same beside any other. */
const isPlain = (text: string) => /^[\x20-\x7e\xa0-\u02ff\u2010-\u2027]*$/.test(text)

/** What is laid out by itself: plain letters one by one, others with their word. */
const partsOf = (text: string): Iterable<string> =>
  isPlain(text)
    ? text
    : text.split(/(?<=[ \t])/).flatMap((word) => (isPlain(word) ? [...word] : [word]))

// Laying out takes longer than all else.
const laidOut = new Map<string, Letter[]>()
const most = 20_000

/** Sets the font of a document; gives what it has a picture for. */
export function setFont(document: PDFKit.PDFDocument): (codePoint: number) => boolean {
  const { _font: used } = document.font(fontFile) as unknown as { _font: Font }
  const layOut = (part: string): Letter[] => {
    const { glyphs, positions } = used.layoutRun(part)
    const letters = positions.map((position, at) => {
      const { id, advanceWidth, codePoints } = glyphs[at] as Glyph
      // The glyph of the font itself would keep the whole font in memory.
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
  // Asked for with each line, for links and for where the next goes on: each is told where it stands.
  used.widthOfString = () => 0
  return (codePoint) => used.font.hasGlyphForCodePoint(codePoint)
}
