// A small PDF by hand: pages of text lines, compressed, with a cross-reference table.
import { deflateSync } from 'node:zlib'

const LINES_PER_PAGE = 46
const CHARS_PER_LINE = 120

export function pdfOf(title: string, entries: string[]): Buffer {
  const lines = entries.flatMap(wrap)
  if (lines.length === 0) lines.push('(none)')
  const pages: string[][] = []
  for (let at = 0; at < lines.length; at += LINES_PER_PAGE) {
    pages.push([title, '', ...lines.slice(at, at + LINES_PER_PAGE)])
  }
  // objects 1 to 3 are catalog, page tree and font; then two for every page
  const kids = pages.map((_, index) => `${4 + index * 2} 0 R`).join(' ')
  const objects: Buffer[] = [
    latin('<< /Type /Catalog /Pages 2 0 R >>'),
    latin(`<< /Type /Pages /Count ${pages.length} /Kids [${kids}] >>`),
    latin('<< /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>'),
  ]
  for (const [index, page] of pages.entries()) {
    const stream = deflateSync(latin(drawn(page)))
    objects.push(
      latin(
        '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 842 595] ' +
          `/Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + index * 2} 0 R >>`,
      ),
      Buffer.concat([
        latin(`<< /Length ${stream.length} /Filter /FlateDecode >>\nstream\n`),
        stream,
        latin('\nendstream'),
      ]),
    )
  }
  return assemble(objects)
}

function assemble(objects: Buffer[]): Buffer {
  const parts: Buffer[] = [latin('%PDF-1.4\n%\xe2\xe3\xcf\xd3\n')]
  let length = parts[0]?.length ?? 0
  const offsets: number[] = []
  for (const [index, object] of objects.entries()) {
    const whole = Buffer.concat([latin(`${index + 1} 0 obj\n`), object, latin('\nendobj\n')])
    offsets.push(length)
    length += whole.length
    parts.push(whole)
  }
  // every entry of the table is exactly 20 bytes long
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  parts.push(
    latin(`xref\n0 ${size}\n0000000000 65535 f \n${table}`),
    latin(`trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF\n`),
  )
  return Buffer.concat(parts)
}

function drawn(lines: string[]): string {
  const shown = lines.map((line) => `(${line.replace(/[\\()]/g, '\\$&')}) Tj T*`)
  return `BT /F1 10 Tf 11.5 TL 36 565 Td\n${shown.join('\n')}\nET`
}

/** Legal: the layout is not shown; long entries go on in the next line, in the midst of a word. */
function wrap(entry: string): string[] {
  // the font has Latin letters only; a fold to them loses no event
  const text = [...entry.replace(/\s+/g, ' ')]
    .map((char) => (/[\x20-\x7e\xa1-\xff]/.test(char) ? char : '?'))
    .join('')
  const lines: string[] = []
  for (let at = 0; at < text.length; at += CHARS_PER_LINE) {
    lines.push((at === 0 ? '' : '  ') + text.slice(at, at + CHARS_PER_LINE))
  }
  return lines
}

function latin(text: string): Buffer {
  return Buffer.from(text, 'latin1')
}
