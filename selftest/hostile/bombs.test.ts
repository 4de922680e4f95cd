import type { ServerResponse } from 'node:http'
import { Readable, type Transform } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { constants, createBrotliCompress, createGzip } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { bomb } from '../engine/files/raw-pdf.ts'
import { failedIn, lendBehind, visit } from './visit.ts'

const megabyte = 1024 * 1024

/**
 * Repeats a piece to this many megabytes, packed. Streamed, because the memory of this process counts as
 * the peak of the processes that it starts.
 */
const packedBy = (packer: Transform, piece: string, megabytes: number): Promise<Buffer> => {
  const block = Buffer.from(piece.repeat(Math.ceil(megabyte / piece.length)))
  return buffer(Readable.from(Array.from({ length: megabytes }, () => block)).pipe(packer))
}
const gzipped = (piece: string, megabytes: number) => packedBy(createGzip(), piece, megabytes)
const brotlied = (piece: string, megabytes: number) => {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 1 }
  return packedBy(createBrotliCompress({ params }), piece, megabytes)
}

type Send = (answer: ServerResponse) => void
const sending = (type: string, bytes: Buffer, headers: Record<string, string> = {}): Send => {
  return (answer) => answer.writeHead(200, { 'content-type': type, ...headers }).end(bytes)
}
const packed = (encoding: 'gzip' | 'br', bytes: Buffer): Send =>
  sending('text/csv', bytes, { 'content-encoding': encoding })

/** Bodies of a few megabytes that unpack to gigabytes, or need gigabytes once parsed. */
// biome-ignore format: one bomb a line
const bombs: [string, 'csv' | 'pdf', () => Promise<Send>][] = [
  ['cells without end, by gzip', 'csv', async () => packed('gzip', await gzipped('a,', 2048))],
  ['one cell, by brotli', 'csv', async () => packed('br', await brotlied('a', 1024))],
  ['a page of a PDF', 'pdf', async () => sending('application/pdf', await bomb(4096))],
]

/** Refused requests go on to the service: a bomb answers a valid request. */
const isValid = (url: string, key: unknown, apiKey: string) => {
  const { searchParams } = new URL(url, 'http://localhost')
  const [start, end] = ['range_start', 'range_end'].map((name) => searchParams.get(name))
  return key === apiKey && !(start && end && Date.parse(start) > Date.parse(end))
}

describe('a whole run stays under 1 GiB, all its processes together, where a body unpacks to far more:', () => {
  test.for(bombs)('%s', { timeout: 200_000 }, async ([, type, make]) => {
    const send = await make()
    const lent = await lendBehind(({ url = '', headers }, answer) => {
      const isOfType = url.includes('/export') && url.includes('file_type=pdf') === (type === 'pdf')
      if (!isOfType || !isValid(url, headers.apikey, lent.apiKey)) return false
      send(answer)
      return true
    })
    const visited = await visit({ ...lent.env, RUN_TIMEOUT_S: '60' })
    expect(visited.code, visited.output).toBeOneOf([1, 3])
    // The same for every request.
    const stated = ['export.range.outside', 'export.range.pdf', 'export.pdf-limit.over']
    expect(
      failedIn(visited).filter((id) => !stated.includes(id)),
      visited.output,
    ).toEqual([])
  })
})
