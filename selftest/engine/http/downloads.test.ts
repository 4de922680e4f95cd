import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import type { Sink } from '../../../engine/http/ask.ts'
import { decode } from '../../../engine/http/decoding.ts'
import { Trouble } from '../../../engine/outcome.ts'
import type { Settings } from '../../../helpers/settings/table.ts'
import { answering, clientFor, get, httpServer } from './servers.ts'

/** A reader that waits for the end of the body. */
async function drained(body: Readable) {
  for await (const _ of body);
}

const download = <T>(url: string, reader: Sink<T>, more?: Partial<Settings>) =>
  clientFor(url, more).client.download(get, undefined, reader)

test('a download is streamed, and its rows stay out of the record', async () => {
  const url = await httpServer((_, answer) => {
    answer.setHeader('Content-Encoding', 'gzip')
    answer.end(gzipSync('name\nA Person\n'))
  })
  const { client, exchanges } = clientFor(url)
  const { answer, result } = await client.download(get, undefined, async (body, head) => {
    expect(head.status).toBe(200)
    let text = ''
    for await (const chunk of body) text += chunk
    return text
  })
  expect(result).toBe('name\nA Person\n')
  expect(answer).toMatchObject({ status: 200, bytesRead: 14, attempts: 1 })
  expect(exchanges[0]).toMatchObject({ bodyBytes: 14 })
  expect(JSON.stringify(exchanges)).not.toContain('Person')
})

test('a download is not hurried by a slow reader, and larger than any buffer', async () => {
  const size = 48 * 1048576
  const url = await httpServer((_, answer) => Readable.from(some(size)).pipe(answer))
  const slow = async (body: Readable) => {
    const pauses = [2_500]
    for await (const _ of body) await sleep(pauses.pop() ?? 0)
  }
  const { answer } = await download(url, slow, { timeoutMs: 1_000 })
  expect(answer.bytesRead).toBe(size)
})

test.for([
  ['of a known length', true],
  ['of no known length', false],
] as const)('a download is whole where the connection ends with it, %s', async ([, isKnown]) => {
  // As much as is buffered at once: only the end follows.
  const whole = 256 * 1024
  const { url } = await answering((socket) => {
    const length = isKnown ? `Content-Length: ${whole}\r\n` : ''
    socket.write(`HTTP/1.1 200 OK\r\n${length}Connection: close\r\n\r\n`)
    socket.end(Buffer.alloc(whole))
  })
  const { answer } = await download(url, async (body) => {
    await sleep(200)
    for await (const _ of body) await sleep(5)
  })
  expect(answer).toMatchObject({ status: 200, bytesRead: whole, attempts: 1 })
})

test('a download may take longer to its first byte than any other answer', async () => {
  const url = await httpServer((_, answer) => setTimeout(() => answer.end('name'), 700))
  const { answer } = await download(url, drained, { timeoutMs: 300, downloadTimeoutS: 5 })
  expect(answer).toMatchObject({ status: 200, attempts: 1 })
})

test('a download is not retried after a timeout of its first byte', async () => {
  const { url, seen } = await answering((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n')
  })
  await expect(download(url, drained, { timeoutMs: 300, downloadTimeoutS: 1 })).rejects.toThrow(
    'GET /t: no byte of the body within 1 s, the limit that DOWNLOAD_TIMEOUT_S sets',
  )
  expect(seen).toHaveLength(1)
})

test('a download is asked for again, alone, where another was under way while it timed out', async () => {
  let asked = 0
  const { url, seen } = await answering((socket) => {
    asked += 1
    if (asked !== 2) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nname')
  })
  const { client } = clientFor(url, { timeoutMs: 300, downloadTimeoutS: 1 })
  const both = [1, 2].map(() => client.download(get, undefined, drained))
  const attempts = (await Promise.all(both)).map(({ answer }) => answer.attempts)
  expect(attempts.toSorted()).toEqual([1, 2])
  expect(seen).toHaveLength(3)
})

test.each([
  ['is waited for by TIMEOUT_MS from its first byte on', 60_000, /nothing more .* within 100 ms/],
  ['must not trickle', 250, /only \d+ bytes of the body came in 10 s/],
])('a download %s', async (_, everyMs, sentence) => {
  const { url } = await answering((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\nna')
    const timer = setInterval(() => socket.write('x'), everyMs)
    socket.on('close', () => clearInterval(timer))
  })
  const timeoutMs = everyMs > 1000 ? 100 : 5000
  await expect(download(url, drained, { timeoutMs, downloadTimeoutS: 20 })).rejects.toThrow(
    sentence,
  )
})

test('a download begins anew when it broke off, even if its reader noticed nothing', async () => {
  const { url } = await answering((socket, _, count) => {
    socket.write('HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabc')
    setTimeout(() => (count === 1 ? socket.resetAndDestroy() : socket.write('def')), 20)
  })
  const heedless = (body: Readable) =>
    new Promise<string>((resolve) => {
      let text = ''
      body.on('data', (chunk) => (text += chunk)).on('end', () => resolve(text))
    })
  const { answer, result } = await download(url, heedless)
  expect([result, answer.attempts]).toEqual(['abcdef', 2])
})

test('a download may be left before its end, and throws what its reader throws', async () => {
  const url = await httpServer((_, answer) => Readable.from(some(50 * 1048576)).pipe(answer))
  const { client, exchanges } = clientFor(url, { timeoutMs: 10_000 })
  const left = await client.download(get, undefined, async (body) => {
    for await (const chunk of body) return chunk.length > 0
  })
  expect(left.result).toBe(true)
  expect(left.answer.bytesRead).toBeLessThan(50 * 1048576)
  const failing = client.download(get, undefined, async () => {
    throw new RangeError('not a CSV')
  })
  await expect(failing).rejects.toThrow(new RangeError('not a CSV'))
  expect(exchanges[1]?.trouble).toBe('the body was not read to its end')
})

test('a download is limited by MAX_EXPORT_MB', async () => {
  const url = await httpServer((_, answer) => Readable.from(some(3 * 1048576)).pipe(answer))
  await expect(download(url, drained, { maxExportMb: 2 })).rejects.toThrow(
    'GET /t: the response is larger than 2 MB',
  )
})

function* some(size: number) {
  const piece = Buffer.alloc(65536, 'x')
  for (let sent = 0; sent < size; sent += piece.length) yield piece
}

const text = Buffer.from('a text that is said again, '.repeat(20_000))
const nothing = Buffer.alloc(0)
const limit = 10 * 1048576

async function decoded(body: Buffer | Readable, encoding?: string) {
  const source = Buffer.isBuffer(body) ? Readable.from(pieces(body), { objectMode: false }) : body
  const chunks: Buffer[] = []
  for await (const chunk of decode(source, encoding, limit)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function* pieces(body: Buffer, size = 1000) {
  for (let at = 0; at < body.length; at += size) yield body.subarray(at, at + size)
}

test.each<[string | undefined, Buffer, Buffer?]>([
  ['gzip', nothing, nothing],
  [undefined, text],
  ['identity', text],
  ['gzip', gzipSync(text)],
  ['X-GZIP', gzipSync(text)],
  ['br', brotliCompressSync(text)],
  ['deflate', deflateSync(text)],
  ['deflate', deflateRawSync(text)],
  ['deflate, gzip', gzipSync(deflateSync(text))],
  ['gzip , br,identity', brotliCompressSync(gzipSync(text))],
])('a body is decoded to what was encoded %s', async (encoding, body, whole = text) => {
  expect((await decoded(body, encoding)).equals(whole)).toBe(true)
})

const bomb = Buffer.alloc(20 * 1048576)
async function* breaking() {
  yield gzipSync(text).subarray(0, 100)
  throw new Trouble('the connection was reset in the body')
}
const broken = Readable.from(breaking(), { objectMode: false })

test.each<[string, string | undefined, Buffer | Readable, string]>([
  ['a bomb', 'gzip', gzipSync(bomb), 'the response inflates beyond 10 MB'],
  ['a bomb in a bomb', 'gzip, br', brotliCompressSync(gzipSync(bomb)), 'inflates beyond 10 MB'],
  ['no brotli at all', 'br', text, 'the response is not valid br'],
  ['no deflate at all', 'deflate', text, 'the response is not valid deflate'],
  ['a cut end', 'gzip', gzipSync(text).subarray(0, -20), 'the response is not valid gzip'],
  ['a coding nobody asked for', 'zstd', text, 'coded as "zstd", which was not asked for'],
  ['a source in trouble', 'gzip', broken, 'the connection was reset in the body'],
  ['codings without end', 'br,br,br,br,br', text, 'the response is encoded 5 times'],
])('reading a body reports trouble: %s', async (_, encoding, body, message) => {
  const error = await decoded(body, encoding).catch((error) => error)
  expect(error).toBeInstanceOf(Trouble)
  expect(error.message).toContain(message)
})
