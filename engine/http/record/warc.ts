// WARC (ISO 28500), which others' tools read: while a run goes on a gzip member for each record, appended at once;
// afterwards the same records as one brotli file, which a default run makes three times smaller. warcio for
// Node would bring 33 packages, and writes asynchronously: a killed run would lose what was under way.

import { createHash, randomUUID } from 'node:crypto'
import { appendFileSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import {
  brotliCompressSync,
  brotliDecompressSync,
  constants,
  gunzipSync,
  gzipSync,
} from 'node:zlib'
import { Impossible } from '../../impossible.ts'

export type Fields = Record<string, string>
export type WarcRecord = { fields: Fields; block: Buffer }

export const digestOf = (pieces: readonly Buffer[]): string =>
  `sha256:${pieces.reduce((hash, piece) => hash.update(piece), createHash('sha256')).digest('hex')}`

/** Appends a record, and returns its id. */
export function append(file: string, fields: Fields, block: Buffer[], date: string): string {
  const id = `<urn:uuid:${randomUUID()}>`
  const head = {
    'WARC-Record-ID': id,
    'WARC-Date': date,
    ...fields,
    'Content-Length': String(block.reduce((sum, { length }) => sum + length, 0)),
  }
  const whole = Buffer.concat([httpBlock('WARC/1.1', head), ...block, Buffer.from('\r\n\r\n')])
  appendFileSync(`${file}.gz`, gzipSync(whole, { level: 1 }), { mode: 0o600 })
  return id
}

/** The fields of a record whose payload an earlier one holds. */
export const revisitOf = (id: string): Fields => ({
  'WARC-Type': 'revisit',
  'WARC-Profile': 'http://netpreserve.org/warc/1.1/revisit/identical-payload-digest',
  'WARC-Refers-To': id,
})

/** A larger file stays as it was appended: the whole would have to stand in memory. */
const mostFolded = 256 * 1024 * 1024

/** Makes one brotli file of a file of gzip members. */
export function fold(file: string): void {
  if (!existsSync(`${file}.gz`) || statSync(`${file}.gz`).size > mostFolded) return
  const bytes = gunzipSync(readFileSync(`${file}.gz`))
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 3,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  }
  writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }), { mode: 0o600 })
  rmSync(`${file}.gz`)
}

/** The bytes of a file; what a killed run left half written ends them. */
function bytesOf(file: string): Buffer {
  const most = { maxOutputLength: 2 ** 31 }
  try {
    // Of a run that was killed while it folded, it is whole.
    if (existsSync(`${file}.gz`))
      return gunzipSync(readFileSync(`${file}.gz`), {
        ...most,
        finishFlush: constants.Z_SYNC_FLUSH,
      })
    if (existsSync(`${file}.br`)) return brotliDecompressSync(readFileSync(`${file}.br`), most)
    return Buffer.alloc(0)
  } catch (error) {
    throw new Impossible(
      `${file} cannot be read (${(error as Error).message}); give a record as a run left it.`,
    )
  }
}

/** All whole records of a file. */
export function readRecords(file: string): WarcRecord[] {
  let rest = bytesOf(file)
  const records: WarcRecord[] = []
  for (;;) {
    const { headers, body } = httpIn(rest)
    const length = Number(headers['Content-Length'])
    if (!(length <= body.length)) return records
    records.push({ fields: headers as Fields, block: body.subarray(0, length) })
    rest = body.subarray(length + 4)
  }
}

type Headers = Record<string, string | string[] | undefined>

/** A message of HTTP/1.1 as it stands in a block; a record of WARC has the same form. */
export function httpBlock(first: string, headers: Headers, body: Buffer = Buffer.alloc(0)): Buffer {
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((each) => `${name}: ${each}\r\n`),
  )
  return Buffer.concat([Buffer.from(`${first}\r\n${lines.join('')}\r\n`, 'latin1'), body])
}

/** First line, headers and body of a block; a header that stands twice is a list. */
export function httpIn(block: Buffer): { first: string; headers: Headers; body: Buffer } {
  const end = block.indexOf('\r\n\r\n')
  const [first = '', ...lines] = block.toString('latin1', 0, end).split('\r\n')
  const headers: Headers = Object.create(null)
  for (const line of lines) {
    const at = line.indexOf(': ')
    const [name, value] = [line.slice(0, at), line.slice(at + 2)]
    const before = headers[name]
    headers[name] = before === undefined ? value : [before, value].flat()
  }
  return { first, headers, body: block.subarray(end + 4) }
}
