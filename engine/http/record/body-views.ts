// The texts of a PDF are found without resolving its objects and decoded by every table of letters in it,
// because reading a whole PDF takes longer. No pattern is applied again and again: a file may be hostile.

import zlib from 'node:zlib'
import type { Carried } from '../transport.ts'

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

/** Throws if the bytes are too large to search. */
function decoded(bytes: Buffer, decode = (same: Buffer) => same): Buffer {
  try {
    return decode(bytes)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw error
    return bytes
  }
}

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

function* viewsOfPdf(pdf: Buffer): Generator<Buffer> {
  // A small file may inflate to any size, and its tables of letters too.
  let left = mostKept
  const spend = (work: number) => {
    left -= work
    if (left < 0) throw new RangeError('it contains more than is searched')
  }
  const streams = streamsIn(pdf, spend)
  const isPage = (stream: string) => /\bT[jJ]\b/.test(stream)
  // A page whose strings are digits shows nothing by itself.
  const shown = streams.filter((each) => !isPage(each) || each.includes('('))
  const strings = streams.filter(isPage).flatMap(stringsIn)
  const whole = Buffer.from(strings.join(''), 'hex').toString('latin1')
  const tables = streams.filter((each) => each.includes('beginbf'))
  spend((tables.length * whole.length) / 2)
  const texts = [whole, ...tables.map((table) => textBy(fontIn(table, spend), strings))]
  yield* shown.map((each) => Buffer.from(each, 'latin1'))
  yield* texts.map((each) => Buffer.from(each))
  // Where lines are wrapped, blanks are lost; UTF-16 has zeros.
  yield* texts.map((each) => Buffer.from(each.replace(/[\0\s]+/g, '')))
}

const streamsIn = (pdf: Buffer, spend: Spend): string[] =>
  pdf
    .toString('latin1')
    .split('endstream')
    .map((part) => {
      const [, bytes = ''] = /stream\r?\n(.*)$/s.exec(part) ?? []
      const stream = decoded(Buffer.from(bytes, 'latin1'), inflate)
      spend(stream.length)
      return stream.toString('latin1')
    })

const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' }
const unescaped = (text: string): string =>
  text.replace(/\\([0-7]{1,3}|.)/gs, (_, one: string) =>
    /^[0-7]/.test(one) ? String.fromCharCode(Number.parseInt(one, 8) & 255) : (escapes[one] ?? one),
  )

const string = /<[\da-f\s]+>|\((?:\\.|[^\\)]){0,30000}/gis

/** A Buffer for each string costs more than all the rest. */
const stringsIn = (page: string): string[] =>
  (page.match(string) ?? []).map((each) => {
    if (each.startsWith('(')) return Buffer.from(unescaped(each.slice(1)), 'latin1').toString('hex')
    const digits = each.slice(1, -1).replace(/\s+/g, '').toLowerCase()
    return digits.length % 2 === 0 ? digits : `${digits}0`
  })

type Font = { width: number; letters: Map<number, string> }

/** Rows: <code> <letters>, or <first> <last> and the letters of the first, or of each. */
function fontIn(table: string, spend: Spend): Font {
  const letters = new Map<number, string>()
  let width = 2
  for (const part of table.split('beginbf').slice(1)) {
    const [rows = ''] = part.split('endbf', 1)
    const row = part.startsWith('range')
      ? /<(\w+)>\s*<(\w+)>\s*(<\w+>|\[[^\][]*\])/g
      : /<(\w+)>(\s*)(<\w+>)/g
    for (const [, code = '', last = '', to = ''] of rows.matchAll(row)) {
      // A code has one to four whole bytes; its digits may still be odd.
      width = Math.min(4, Math.ceil(code.length / 2))
      const first = Number.parseInt(code, 16)
      const each = [...to.matchAll(/\w+/g)].map(([hex]) => textOf(hex))
      const [start = ''] = each
      const more = to.startsWith('<') ? Math.min(Number.parseInt(last, 16) - first, 65_535) : 0
      const count = Math.max(each.length, more + 1 || 0)
      spend(64 * count)
      for (let at = 0; at < count; at += 1)
        letters.set((first + at) | 0, each[at] ?? following(start, at))
    }
  }
  return { width, letters }
}

function textBy({ width, letters }: Font, strings: readonly string[]): string {
  const size = 2 * width
  const whole = strings.map((each) => each.padEnd(Math.ceil(each.length / size) * size, 'f'))
  const bytes = Buffer.from(whole.join(''), 'hex')
  let text = ''
  for (let at = 0; at < bytes.length; at += width) {
    let code = 0
    for (let n = at; n < at + width; n += 1) code = (code << 8) | (bytes[n] ?? 0)
    text += letters.get(code) ?? ''
  }
  return text
}

const textOf = (utf16: string): string =>
  utf16.replace(/\w{1,4}/g, (one) => String.fromCharCode(Number.parseInt(one, 16)))
const following = (text: string, by: number): string =>
  text.replace(/.$/s, (final) => String.fromCharCode(final.charCodeAt(0) + by))
