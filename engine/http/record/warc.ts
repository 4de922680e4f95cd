// WARC (ISO 28500), appended uncompressed, so that a killed run leaves a readable file; afterwards one brotli
// file, because gzip members would be three times as large. warcio writes asynchronously.

import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import { Impossible } from '../../impossible.ts'

export type Fields = Record<string, string>
type WarcRecord = { fields: Fields; block: Buffer }

export function createWarc(file: string) {
  let unwritten: Buffer[] = []
  return {
    append(fields: Fields, block: Buffer[], date: string): string {
      const id = `<urn:uuid:${randomUUID()}>`
      const head = {
        'WARC-Record-ID': id,
        'WARC-Date': date,
        ...fields,
        'Content-Length': String(block.reduce((sum, { length }) => sum + length, 0)),
      }
      unwritten.push(httpBlock('WARC/1.1', head), ...block, Buffer.from('\r\n\r\n'))
      return id
    },
    flush() {
      if (unwritten.length === 0) return
      const handle = fs.openSync(file, 'a', 0o600)
      fs.writevSync(handle, unwritten)
      fs.closeSync(handle)
      unwritten = []
    },
  }
}

export const revisitOf = (id: string): Fields => ({
  'WARC-Type': 'revisit',
  'WARC-Profile': 'http://netpreserve.org/warc/1.1/revisit/identical-payload-digest',
  'WARC-Refers-To': id,
})

export function fold(file: string, bytes: Buffer): void {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 3,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
  }
  fs.writeFileSync(`${file}.br`, brotliCompressSync(bytes, { params }), { mode: 0o600 })
  fs.rmSync(file)
}

export function bytesOf(file: string): Buffer {
  try {
    // A run that was killed while it compressed leaves both, and this file is whole.
    if (fs.existsSync(file)) return fs.readFileSync(file)
    if (!fs.existsSync(`${file}.br`)) return Buffer.alloc(0)
    return brotliDecompressSync(fs.readFileSync(`${file}.br`), { maxOutputLength: 2 ** 31 })
  } catch (error) {
    throw new Impossible(
      `${file} cannot be read (${(error as Error).message}); give a record as a run left it.`,
    )
  }
}

export function recordsIn(bytes: Buffer): WarcRecord[] {
  let rest = bytes
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

/** A message of HTTP/1.1 as it is in a block; a record of WARC has the same form. */
export function httpBlock(first: string, headers: Headers, body: Buffer = Buffer.alloc(0)): Buffer {
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((each) => `${name}: ${each}\r\n`),
  )
  return Buffer.concat([Buffer.from(`${first}\r\n${lines.join('')}\r\n`, 'latin1'), body])
}

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
