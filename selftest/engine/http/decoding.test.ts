import { Readable } from 'node:stream'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { decode } from '../../../engine/http/decoding.ts'
import { Trouble } from '../../../engine/outcome.ts'

const text = Buffer.from('a text that is said again, '.repeat(20_000))
const limit = 10 * 1048576

async function decoded(body: Buffer | Readable, encoding?: string, most = limit) {
  const source = Buffer.isBuffer(body) ? Readable.from(pieces(body), { objectMode: false }) : body
  const chunks: Buffer[] = []
  for await (const chunk of decode(source, encoding, most)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function* pieces(body: Buffer, size = 1000) {
  for (let at = 0; at < body.length; at += size) yield body.subarray(at, at + size)
}

describe('a body is decoded to what was encoded', () => {
  test.each<[string | undefined, Buffer]>([
    [undefined, text],
    ['identity', text],
    ['gzip', gzipSync(text)],
    ['X-GZIP', gzipSync(text)],
    ['br', brotliCompressSync(text)],
    ['deflate', deflateSync(text)],
    ['deflate', deflateRawSync(text)],
    ['deflate, gzip', gzipSync(deflateSync(text))],
    ['gzip , br,identity', brotliCompressSync(gzipSync(text))],
  ])('%s', async (encoding, body) => {
    expect((await decoded(body, encoding)).equals(text)).toBe(true)
  })

  test('an empty body is empty in any coding', async () => {
    expect(await decoded(Buffer.alloc(0), 'gzip')).toHaveLength(0)
  })
})

describe('reports trouble', () => {
  const bomb = Buffer.alloc(20 * 1048576)

  test.each<[string, string | undefined, Buffer, string]>([
    ['a bomb', 'gzip', gzipSync(bomb), 'the response inflates beyond 10 MB'],
    ['a bomb in a bomb', 'gzip, br', brotliCompressSync(gzipSync(bomb)), 'inflates beyond 10 MB'],
    ['no brotli at all', 'br', text, 'the response is not valid br'],
    ['no deflate at all', 'deflate', text, 'the response is not valid deflate'],
    ['a cut end', 'gzip', gzipSync(text).subarray(0, -20), 'the response is not valid gzip'],
    ['a coding nobody asked for', 'zstd', text, 'coded as "zstd", which was not asked for'],
    ['codings without end', 'br,br,br,br,br', text, 'the response is coded 5 times'],
  ])('%s', async (_, encoding, body, message) => {
    const error = await decoded(body, encoding).catch((error) => error)
    expect(error).toBeInstanceOf(Trouble)
    expect(error.message).toContain(message)
  })

  test('of the source as it is', async () => {
    const cut = Readable.from(
      (async function* () {
        yield gzipSync(text).subarray(0, 100)
        throw new Trouble('the connection was reset in the body')
      })(),
      { objectMode: false },
    )
    await expect(decoded(cut, 'gzip')).rejects.toThrow('the connection was reset in the body')
  })
})
