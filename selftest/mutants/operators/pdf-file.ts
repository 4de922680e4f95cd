import { deflateSync, inflateSync } from 'node:zlib'

/**
 * Changes a PDF by an incremental update: appends a new version of one object, with a table that points to
 * it and to the old table.
 */
const read = (file: Uint8Array) => Buffer.from(file).toString('latin1')

function objectOf(text: string, number: string): string | undefined {
  const at = text.lastIndexOf(`\n${number} 0 obj`)
  return at < 0 ? undefined : text.slice(at + 1, text.indexOf('endobj', at))
}

function root(text: string) {
  const found = /\n(\d+) 0 obj\s*<<(?:(?!endobj)[\s\S])*?\/Type \/Pages/.exec(text)
  const number = found?.[1]
  return number === undefined ? undefined : { number, text: objectOf(text, number) ?? '' }
}

function withObject(file: Uint8Array, number: string, body: Buffer): Uint8Array {
  const text = read(file)
  const before = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(text)?.[1] ?? '0'
  const trailer = /trailer\s*<<([\s\S]*?)>>\s*startxref\s+\d+\s+%%EOF\s*$/.exec(text)?.[1] ?? ''
  const start = Buffer.from(`\n${number} 0 obj\n`)
  const end = Buffer.from('\nendobj\n')
  const at = file.length + 1
  const table = file.length + start.length + body.length + end.length
  const tail =
    `xref\n${number} 1\n${String(at).padStart(10, '0')} 00000 n \n` +
    `trailer\n<<${trailer}/Prev ${before}>>\nstartxref\n${table}\n%%EOF\n`
  return new Uint8Array(Buffer.concat([file, start, body, end, Buffer.from(tail, 'latin1')]))
}

export function kidsOf(file: Uint8Array): string[] {
  const kids = /\/Kids \[([^\]]*)\]/.exec(root(read(file))?.text ?? '')?.[1] ?? ''
  return kids.match(/\d+ \d+ R/g) ?? []
}

export function withKids(file: Uint8Array, kids: readonly string[]): Uint8Array | undefined {
  const pages = root(read(file))
  if (pages === undefined) return undefined
  const body = pages.text
    .replace(/^\d+ 0 obj\s*/, '')
    .replace(/\/Kids \[[^\]]*\]/, `/Kids [${kids.join(' ')}]`)
    .replace(/\/Count \d+/, `/Count ${kids.length}`)
  return withObject(file, pages.number, Buffer.from(body, 'latin1'))
}

/** Changes the content of the first page; handles plain and deflated streams. */
export function withDrawing(
  file: Uint8Array,
  by: (drawing: string) => string,
): Uint8Array | undefined {
  const text = read(file)
  const page = kidsOf(file)[0]?.split(' ')[0]
  const number = /\/Contents (\d+) 0 R/.exec(objectOf(text, page ?? '') ?? '')?.[1]
  const object = number === undefined ? undefined : objectOf(text, number)
  const stream = object && /stream\r?\n([\s\S]*?)\r?\nendstream/.exec(object)?.[1]
  if (!object || !stream || number === undefined) return undefined
  const bytes = Buffer.from(stream, 'latin1')
  const packed = object.includes('/FlateDecode')
  const drawing = (packed ? inflateSync(bytes) : bytes).toString('latin1')
  const changed = by(drawing)
  if (changed === drawing) return undefined
  const drawn = deflateSync(Buffer.from(changed, 'latin1'))
  const head = Buffer.from(`<< /Length ${drawn.length} /Filter /FlateDecode >>\nstream\n`)
  return withObject(file, number, Buffer.concat([head, drawn, Buffer.from('\nendstream')]))
}

/** Swaps the first two different adjacent glyphs in the middle of the page. */
export function withChangedText(file: Uint8Array): Uint8Array | undefined {
  return withDrawing(file, (drawing) => {
    const shown = [...drawing.matchAll(/<([0-9a-f]{8,})>/g)]
    const chosen = shown[Math.floor(shown.length / 2)]
    if (chosen?.[1] === undefined) return drawing
    const glyphs = chosen[1].match(/.{4}/g) ?? []
    const at = glyphs.findIndex((glyph, n) => n > 0 && glyph !== glyphs[n - 1])
    if (at < 1) return drawing
    const turned = glyphs.toSpliced(at - 1, 2, glyphs[at] ?? '', glyphs[at - 1] ?? '').join('')
    return `${drawing.slice(0, chosen.index + 1)}${turned}${drawing.slice(chosen.index + 1 + turned.length)}`
  })
}
