// In which forms a secret may stand in a body. What a PDF shows stands in compressed streams, by glyphs of its
// fonts: its strings are found without resolving the file's objects, and decoded by every table of letters that the
// file has. Reading one whole takes longer. No pattern goes over a text again and again, for a hostile file's sake.

import zlib from 'node:zlib'
import type { Carried } from '../transport.ts'

/** A larger body is not kept: it stands in memory whole. */
export const mostKept = 64 * 1024 * 1024

const { Z_SYNC_FLUSH: finishFlush, BROTLI_OPERATION_FLUSH } = zlib.constants
const flushed = { maxOutputLength: mostKept, finishFlush }
const flushedBr = { ...flushed, finishFlush: BROTLI_OPERATION_FLUSH }
const inflate = (bytes: Buffer) => zlib.inflateSync(bytes, flushed)
const gunzip = (bytes: Buffer) => zlib.gunzipSync(bytes, flushed)
const decoders: Record<string, (bytes: Buffer) => Buffer> = {
  ...{ gzip: gunzip, 'x-gzip': gunzip, br: (bytes) => zlib.brotliDecompressSync(bytes, flushedBr) },
  deflate: (bytes) =>
    ((bytes[0] ?? 0) & 0x0f) === 8 ? inflate(bytes) : zlib.inflateRawSync(bytes, flushed),
}

/** Bytes without a coding, or as they are if they do not have it; throws if that is too large to be searched. */
function decoded(bytes: Buffer, decode = (same: Buffer) => same): Buffer {
  try {
    return decode(bytes)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw error
    return bytes
  }
}

/** A body as it came, without each of its codings, and the texts of a PDF: a secret may be in any of them. */
export function* viewsOf(
  headers: Carried['headers'],
  bytes: Buffer,
): Generator<Buffer | 'unsearched'> {
  yield bytes
  let plain = bytes
  const codings = String(headers['content-encoding'] ?? '').toLowerCase()
  try {
    for (const coding of codings.split(',').reverse()) {
      plain = decoded(plain, decoders[coding.trim()])
      if (plain !== bytes) yield plain
    }
    // UTF-16 has a zero beside each letter of a secret.
    if (plain.includes(0)) yield Buffer.from(plain.toString('latin1').replaceAll('\0', ''))
    if (plain.subarray(0, 1024).includes('%PDF-')) yield* viewsOfPdf(plain)
  } catch {
    // What cannot be searched is not kept.
    yield 'unsearched'
  }
}

type Spend = (work: number) => void

/** The streams of a PDF, and the texts that its strings may mean: as they are, and by each table of letters. */
function* viewsOfPdf(pdf: Buffer): Generator<Buffer> {
  // A small file may inflate to any size, and its tables of letters too.
  let left = mostKept
  const spend = (work: number) => {
    left -= work
    if (left < 0) throw new RangeError('it holds more than is searched')
  }
  const streams = [...streamsIn(pdf, spend)]
  const isPage = (stream: string) => /\bT[jJ]\b/.test(stream)
  // A page whose strings are digits shows nothing by itself.
  const shown = streams.filter((each) => !isPage(each) || each.includes('('))
  const strings = streams.filter(isPage).flatMap(stringsIn)
  const whole = Buffer.from(strings.join(''), 'hex').toString('latin1')
  const tables = streams.filter((each) => each.includes('beginbf'))
  spend((tables.length * whole.length) / 2)
  const meant = tables.map((table) => strings.map(decoderBy(table, spend)).join(''))
  yield* shown.map((each) => Buffer.from(each, 'latin1'))
  for (const text of new Set([whole, whole.replaceAll('\0', ''), ...meant])) {
    yield Buffer.from(text)
    yield Buffer.from(text.replace(/\s+/g, ''))
  }
}

function* streamsIn(pdf: Buffer, spend: Spend): Generator<string> {
  for (let at = pdf.indexOf('stream'); at !== -1; at = pdf.indexOf('stream', at)) {
    const from = at + (pdf[at + 6] === 13 ? 8 : 7)
    const end = pdf.indexOf('endstream', from)
    if (end === -1) return
    const stream = decoded(pdf.subarray(from, end), inflate)
    spend(stream.length)
    yield stream.toString('latin1')
    at = end + 9
  }
}

const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }
const unescaped = (text: string): string =>
  text.replace(/\\([0-7]{1,3}|.)/gs, (_, one: string) =>
    /^[0-7]/.test(one) ? String.fromCharCode(Number.parseInt(one, 8) & 255) : (escapes[one] ?? one),
  )

/**
 * The strings of a page in hexadecimal digits, as most of them are: a Buffer for each costs more than all the rest.
 * What is left of a long one in brackets, the stream itself shows.
 */
const stringsIn = (page: string): string[] =>
  Array.from(
    page.matchAll(/<([\da-f\s]+)>|\(((?:\\.|[^\\)]){0,30000})/gis),
    ([, hex = '', text]) => {
      if (text) return Buffer.from(unescaped(text), 'latin1').toString('hex')
      const digits = hex.replace(/\s+/g, '').toLowerCase()
      // The last digit may be left out.
      return digits.length % 2 === 0 ? digits : `${digits}0`
    },
  )

/** Which letters the codes of a font mean: <code> <letters>, or <first> <last> and those of the first, or of each. */
function decoderBy(table: string, spend: Spend): (digits: string) => string {
  const letters = new Map<string, string>()
  let width = 4
  const set = (code: number, letter: string) =>
    letters.set(code.toString(16).padStart(width, '0'), letter)
  for (const part of table.split('beginbf').slice(1)) {
    const [rows = ''] = part.split('endbf', 1)
    const row = part.startsWith('range')
      ? /<(\w+)>\s*<(\w+)>\s*(<\w+>|\[[^\][]*\])/g
      : /<(\w+)>(\s*)(<\w+>)/g
    for (const [, code = '', last = '', to = ''] of rows.matchAll(row)) {
      // A code has one to four whole bytes; its digits may be odd all the same.
      width = Math.min(8, code.length + (code.length % 2))
      const first = Number.parseInt(code, 16)
      const each = [...to.matchAll(/\w+/g)].map(([hex]) => textOf(hex))
      const [start = ''] = each
      const more = to.startsWith('<') ? Math.min(Number.parseInt(last, 16) - first, 65_535) : 0
      const count = Math.max(each.length, more + 1 || 0)
      spend(16 * count)
      for (let at = 0; at < count; at += 1) set(first + at, each[at] ?? following(start, at))
    }
  }
  const code = new RegExp(`.{1,${width}}`, 'g')
  return (digits) => digits.replace(code, (one) => letters.get(one) ?? '')
}

const textOf = (utf16: string): string =>
  utf16.replace(/\w{1,4}/g, (one) => String.fromCharCode(Number.parseInt(one, 16)))
const following = (text: string, by: number): string =>
  text.replace(/.$/s, (final) => String.fromCharCode(final.charCodeAt(0) + by))
