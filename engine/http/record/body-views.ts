// The strings of a PDF are found without resolving its objects, because reading a whole PDF takes longer.
// No pattern is applied again and again: a file may be hostile.

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

function* viewsOfPdf(pdf: Buffer): Generator<Buffer> {
  const streams = streamsIn(pdf)
  const strings = streams.filter((each) => /\bT[jJ]\b/.test(each)).flatMap(stringsIn)
  const text = Buffer.from(strings.join(''), 'hex').toString('latin1')
  yield* streams.map((each) => Buffer.from(each, 'latin1'))
  yield Buffer.from(text)
  // Where lines are wrapped, blanks are lost; UTF-16 has zeros.
  yield Buffer.from(text.replace(/[\0\s]+/g, ''))
}

/** A small file may inflate to any size. */
function streamsIn(pdf: Buffer): string[] {
  let left = mostKept
  return pdf
    .toString('latin1')
    .split('endstream')
    .map((part) => {
      const [, bytes = ''] = /stream\r?\n(.*)$/s.exec(part) ?? []
      const stream = decoded(Buffer.from(bytes, 'latin1'), inflate)
      left -= stream.length
      if (left < 0) throw new RangeError('it contains more than is searched')
      return stream.toString('latin1')
    })
}

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
