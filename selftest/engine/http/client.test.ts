import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { Trouble } from '../../../engine/outcome.ts'
import { answering, clientFor, httpServer, key, remembering } from './servers.ts'

const get = { method: 'GET', path: '/t' } as const

describe('an answer', () => {
  test('is given as it came, decoded', async () => {
    const text = '\ufeff{"a":"ü"}'
    const codings = { gzip: gzipSync, br: brotliCompressSync, deflate: deflateSync }
    const url = await httpServer((request, answer) => {
      const coding = request.url?.slice(4) as keyof typeof codings
      answer.setHeader('Content-Encoding', coding)
      answer.setHeader('Set-Cookie', ['a=1', 'b=2'])
      answer.end(codings[coding](text))
    })
    const { client } = clientFor(`${url}/v5/`)
    for (const coding of Object.keys(codings)) {
      const answer = await client.ask({ method: 'GET', path: `/${coding}` })
      expect(answer).toMatchObject({ method: 'GET', status: 200, text: '{"a":"ü"}', attempts: 1 })
      expect(answer.bytes.toString()).toBe(text)
      expect(answer.validUtf8).toBe(true)
      expect(answer.headers['set-cookie']).toBe('a=1, b=2')
    }
  })

  test('with more than its Content-Length leaves nothing to the next request', async () => {
    const { url } = await answering((socket, request) => {
      const path = request.split(' ')[1]
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n${path}HTTP/1.1 418 X\r\n\r\n`)
    })
    const { client } = clientFor(url)
    expect(await client.ask({ method: 'GET', path: '/1' })).toMatchObject({ text: '/1' })
    expect(await client.ask({ method: 'GET', path: '/2' })).toMatchObject({ text: '/2' })
  })
})

describe('a request', () => {
  test('is sent unchanged, with the key and only documented headers', async () => {
    const { url, asked } = await remembering()
    const { client } = clientFor(`${url}/v5`)
    const headers = { 'If-Match': '"x"', Accept: 'text/csv' }
    await client.ask({ method: 'PUT', path: '/a/../b//c?d[]=%2f', headers, body: '{"ü":1}' })
    const [request] = asked as [IncomingMessage]
    expect(request.url).toBe('/v5/a/../b//c?d[]=%2f')
    const { host, ...rest } = request.headers
    expect(rest).toEqual({
      apikey: key,
      'if-match': '"x"',
      accept: 'text/csv',
      'accept-encoding': 'gzip, br, deflate',
      'user-agent': 'task-assignment-contract',
      connection: 'keep-alive',
      'content-length': '8',
    })
  })

  test('is sent without a key, or with another one, on demand', async () => {
    const { url, asked } = await remembering()
    const { client } = clientFor(url)
    await client.ask({ ...get, key: null })
    await client.ask({ ...get, key: 'wrong' })
    expect(asked.map(({ headers }) => headers.apikey)).toEqual([undefined, 'wrong'])
  })

  test('with a key that HTTP cannot carry is not sent, and is trouble', async () => {
    const { url, asked } = await remembering()
    const { client } = clientFor(url)
    for (const wrong of ['a\nb', 'a\u0000b', 'snow \u2603']) {
      const error = await client.ask({ ...get, key: wrong }).catch((e) => e)
      expect(error).toBeInstanceOf(Trouble)
      expect(error.message).toBe(
        'GET /t: cannot be sent: HTTP cannot carry it (invalid apikey header)',
      )
    }
    const error = await client.ask({ method: 'GET', path: '/a b' }).catch((e) => e)
    expect(error.message).toBe(
      'GET /a b: cannot be sent: its path contains characters that a path cannot hold',
    )
    expect(asked).toHaveLength(0)
  })

  test('does not follow a redirect', async () => {
    const elsewhere = await remembering()
    const url = await httpServer((_, answer) =>
      answer.writeHead(302, { Location: elsewhere.url }).end(),
    )
    const { client } = clientFor(url)
    expect(await client.ask(get)).toMatchObject({
      status: 302,
      headers: { location: elsewhere.url },
    })
    expect(elsewhere.asked).toHaveLength(0)
  })

  test('keeps the key from another origin', async () => {
    const home = await remembering()
    const elsewhere = await remembering()
    const { client } = clientFor(home.url)
    const base = elsewhere.url
    await client.ask({ ...get, base })
    await client.ask({ ...get, base, key })
    await client.ask({ ...get, base, key: 'wrong' })
    await client.ask({ ...get, base, sendKeyElsewhere: true })
    expect(elsewhere.asked.map(({ headers }) => headers.apikey)).toEqual([
      undefined,
      undefined,
      'wrong',
      key,
    ])
    const hidden = client.ask({ ...get, base, headers: { 'x-key': key } })
    await expect(hidden).rejects.toThrow(
      'the configured key would have been sent to another origin',
    )
    expect(elsewhere.asked).toHaveLength(4)
  })
})

describe('a record', () => {
  test('holds what was sent and came, and never the key', async () => {
    const url = await httpServer((request, answer) => {
      answer.setHeader('X-Echo', `${request.headers.apikey}`)
      answer.end(JSON.stringify({ key: request.headers.apikey }))
    })
    const { client, exchanges } = clientFor(url)
    const path = `/t?apikey=${encodeURIComponent(key)}`
    const answer = await client.ask({ method: 'PUT', path, body: JSON.stringify({ key }) })
    expect(JSON.parse(answer.text).key).toBe(key)
    expect(exchanges[0]).toMatchObject({
      method: 'PUT',
      path: '/t?apikey=(configured)',
      requestHeaders: { apikey: '(configured)' },
      requestBody: '{"key":"(configured)"}',
      status: 200,
      headers: { 'x-echo': '(configured)' },
      body: '{"key":"(configured)"}',
      attempt: 1,
    })
    expect(exchanges[0]).not.toHaveProperty('base')
    expect(answer.path).toBe('/t?apikey=(configured)')
  })

  test('does not reveal the key through a similar wrong one', async () => {
    const url = await httpServer((request, answer) =>
      answer.writeHead(401).end(`unknown: ${request.headers.apikey}`),
    )
    const { client, exchanges } = clientFor(url)
    const wrongs = [`${key}x`, key.slice(0, -1), key.toUpperCase(), key.slice(2)]
    for (const wrong of wrongs) await client.ask({ ...get, key: wrong })
    for (const { requestHeaders, body } of exchanges) {
      expect(requestHeaders.apikey).toMatch(/^\((a variation of the )?configured/)
      expect(body).toBe(`unknown: ${requestHeaders.apikey}`)
    }
  })

  test('shows long and binary bodies by size and hash', async () => {
    const bodies = { '/long': Buffer.alloc(5000, 'a'), '/binary': Buffer.from([0, 255, 7]) }
    const url = await httpServer(({ url }, answer) =>
      answer.end(bodies[url as keyof typeof bodies]),
    )
    const { client, exchanges } = clientFor(url)
    for (const [path, body] of Object.entries(bodies)) {
      await client.ask({ method: 'GET', path })
      const exchange = exchanges.pop()
      expect(exchange?.body).toBeUndefined()
      expect(exchange?.bodyBytes).toBe(body.length)
      expect(exchange?.bodySha256).toBe(createHash('sha256').update(body).digest('hex'))
    }
  })

  test('goes to the recorder of its request', async () => {
    const { url } = await remembering()
    let begun = 0
    const { client, exchanges } = clientFor(url, {}, { onRequest: () => begun++ })
    const mine: unknown[] = []
    await client.ask(get, (exchange) => mine.push(exchange))
    expect([mine.length, exchanges.length, begun, client.requests]).toEqual([1, 0, 1, 1])
  })
})
