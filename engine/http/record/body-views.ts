// In which forms a secret may stand in a body. What a PDF shows stands in compressed streams, by glyphs of its
// fonts: its strings are found without resolving the file's objects, and decoded by every table of letters that the
// file has. Reading one whole takes longer.

import {
  brotliDecompressSync,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  constants as zlib,
} from 'node:zlib'
import type { Carried } from '../transport.ts'

/** A larger body is not kept: it would stand in memory whole. */
export const mostKept = 64 * 1024 * 1024

const flushed = { maxOutputLength: mostKept, finishFlush: zlib.Z_SYNC_FLUSH }
const decoders: Record<string, (bytes: Buffer) => Buffer> = {
  gzip: (bytes) => gunzipSync(bytes, flushed),
  'x-gzip': (bytes) => gunzipSync(bytes, flushed),
  br: (bytes) =>
    brotliDecompressSync(bytes, { ...flushed, finishFlush: zlib.BROTLI_OPERATION_FLUSH }),
  deflate: (bytes) =>
    ((bytes[0] ?? 0) & 0x0f) === 8 ? inflateSync(bytes, flushed) : inflateRawSync(bytes, flushed),
}

/** A body as it came, without each of its codings, and the texts of a PDF: a secret may be in any of them. */
export function* viewsOf(
  headers: Carried['headers'],
  bytes: Buffer,
): Generator<Buffer | 'unsearched'> {
  yield bytes
  let decoded = bytes
  for (const coding of String(headers['content-encoding'] ?? '')
    .split(',')
    .reverse()) {
    try {
      decoded = decoders[coding.trim().toLowerCase()]?.(decoded) ?? decoded
    } catch (error) {
      // What cannot be searched is not kept; other errors say that it is not what it says.
      if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') yield 'unsearched'
    }
    if (decoded !== bytes) yield decoded
  }
  // UTF-16 has a zero beside each letter of a secret.
  if (decoded.includes(0)) yield Buffer.from(decoded.toString('latin1').replaceAll('\0', ''))
  yield* stringsInPdf(decoded)
}

/** The texts that the strings of a PDF may mean: as they are, and by each table of letters. */
function stringsInPdf(pdf: Buffer): Buffer[] {
  if (!pdf.subarray(0, 1024).includes('%PDF-')) return []
  const streams = streamsIn(pdf)
  const strings = streams.filter((each) => /\bT[jJ]\b/.test(each)).flatMap(stringsIn)
  const tables = streams.filter((each) => each.includes('beginbf')).map(lettersIn)
  const decoded = tables.map((table) => strings.map((each) => lettersOf(each, table)).join(''))
  const whole = Buffer.concat(strings).toString('latin1')
  return [whole, whole.replaceAll('\0', ''), ...decoded].flatMap((text) => [
    Buffer.from(text),
    Buffer.from(text.replace(/\s+/g, '')),
  ])
}

function streamsIn(pdf: Buffer): string[] {
  const found: string[] = []
  for (let at = pdf.indexOf('stream'); at !== -1; at = pdf.indexOf('stream', at)) {
    const from = at + (pdf[at + 6] === 13 ? 8 : 7)
    const end = pdf.indexOf('endstream', from)
    if (end === -1) return found
    found.push(inflated(pdf.subarray(from, end)).toString('latin1'))
    at = end + 9
  }
  return found
}

function inflated(bytes: Buffer): Buffer {
  try {
    return inflateSync(bytes, flushed)
  } catch {
    return bytes
  }
}

const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }

/** The strings of a page, in hexadecimal digits or in brackets. */
const stringsIn = (page: string): Buffer[] =>
  [...page.matchAll(/<([\da-f\s]+)>|\(((?:\\[\s\S]|[^\\)])*)\)/gi)].map(([, hex, text = '']) =>
    hex === undefined
      ? Buffer.from(
          text.replace(/\\([0-7]{1,3}|[\s\S])/g, (_, one) => unescaped(one)),
          'latin1',
        )
      : Buffer.from(hex.replace(/\s/g, ''), 'hex'),
  )
const unescaped = (one: string) =>
  /^[0-7]/.test(one) ? String.fromCharCode(Number.parseInt(one, 8) & 255) : (escapes[one] ?? one)

type Letters = { width: number; of: Map<number, string> }
const hexText = (hex: string) => Buffer.from(hex, 'hex').swap16().toString('utf16le')

/** Which letters the codes of a font mean. */
function lettersIn(table: string): Letters {
  const of = new Map<number, string>()
  let width = 2
  // <code> <letters>, or <first> <last> and the letters of the first, or of each.
  for (const [, body = ''] of table.matchAll(/beginbf(?:char|range)([\s\S]*?)endbf/g))
    for (const [, code = '', last = code, to = ''] of body.matchAll(
      /<(\w+)>\s*(?:<(\w+)>\s*)??(<\w+>|\[[^\]]*\])[^\S\n]*(?:\n|$)/g,
    )) {
      width = code.length / 2
      const first = Number.parseInt(code, 16)
      const letters = [...to.matchAll(/<((?:\w{4})+)>/g)].map(([, hex = '']) => hexText(hex))
      for (const [at, letter] of letters.entries()) of.set(first + at, letter)
      const start = letters[0]?.codePointAt(0)
      const more = Math.min(Number.parseInt(last, 16) - first, 65_535)
      if (to.startsWith('<') && start !== undefined)
        for (let at = 1; at <= more; at += 1) of.set(first + at, String.fromCodePoint(start + at))
    }
  return { width, of }
}

function lettersOf(bytes: Buffer, { width, of }: Letters): string {
  let text = ''
  for (let at = 0; at + width <= bytes.length; at += width)
    text += of.get(bytes.readUIntBE(at, width)) ?? ''
  return text
}
