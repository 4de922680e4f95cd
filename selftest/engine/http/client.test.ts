import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer as createHttpServer, type IncomingMessage } from 'node:http'
import { createServer as createTlsServer, type ServerOptions } from 'node:https'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { openAgent } from '../../../engine/http/agent.ts'
import { traceIdOf } from '../../../engine/http/exchange.ts'
import { Trouble } from '../../../engine/outcome.ts'
import { skipWithout } from '../../worker-folders.ts'
import {
  answering,
  clientFor,
  deadUrl,
  httpServer,
  key,
  listening,
  rawServer,
  remembering,
  settingsFor,
} from './servers.ts'

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
    for (const key of [null, 'wrong']) await client.ask({ ...get, key })
    expect(asked.map(({ headers }) => headers.apikey)).toEqual([undefined, 'wrong'])
  })

  // biome-ignore format: one request a line
  test.each<[string, object, string]>([
    ...['a\nb', 'a\u0000b', 'snow \u2603'].map((key): [string, object, string] => [
      'a key', { ...get, key }, 'GET /t: cannot be sent: HTTP cannot carry it (invalid apikey header)',
    ]),
    ['a path', { method: 'GET', path: '/a b' }, 'GET /a b: cannot be sent: its path contains characters that a path cannot hold'],
  ])('with %s that HTTP cannot carry is not sent, and is trouble', async (_, request, sentence) => {
    const { url, asked } = await remembering()
    const error = await clientFor(url).client.ask(request as typeof get).catch((e) => e)
    expect(error).toBeInstanceOf(Trouble)
    expect([error.message, asked.length]).toEqual([sentence, 0])
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
    const [home, elsewhere] = [await remembering(), await remembering()]
    const { client } = clientFor(home.url)
    const base = elsewhere.url
    for (const given of [{}, { key }, { key: 'wrong' }, { sendKeyElsewhere: true as const }])
      await client.ask({ ...get, base, ...given })
    const keys = elsewhere.asked.map(({ headers }) => headers.apikey)
    expect(keys).toEqual([undefined, undefined, 'wrong', key])
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

/** Self-signed certificates for a service and a client; `made` is false without openssl. */
function makeCertificates() {
  const folder = mkdtempSync(join(tmpdir(), 'certificates-'))
  const file = (name: 'service' | 'client', kind: 'pem' | 'key') => join(folder, `${name}.${kind}`)
  const make = (name: 'service' | 'client') => {
    const subject = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2'
    const files = ['-keyout', file(name, 'key'), '-out', file(name, 'pem')]
    const names = ['-subj', `/CN=${name}`, '-addext', 'subjectAltName=IP:127.0.0.1']
    execFileSync('openssl', [...subject.split(' '), ...files, ...names], { stdio: 'ignore' })
  }
  const remove = () => rmSync(folder, { recursive: true })
  try {
    make('service')
    make('client')
    return { file, remove, made: true }
  } catch {
    return { file, remove, made: false }
  }
}

const once = { ...get, retries: false } as const

/** A proxy that opens tunnels, and what it was asked. */
async function tunnelling(refusal?: number) {
  const asked: IncomingMessage[] = []
  const server = createHttpServer().on('connect', (request, socket) => {
    asked.push(request)
    if (refusal) return socket.end(`HTTP/1.1 ${refusal} No\r\n\r\n`)
    const [host, port] = (request.url as string).split(':') as [string, string]
    const onward = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n')
      socket.pipe(onward).pipe(socket)
    })
    socket.on('error', () => onward.destroy())
    onward.on('error', () => socket.destroy())
  })
  return { url: `http://127.0.0.1:${await listening(server)}`, asked }
}

describe('through a proxy', () => {
  test('with its name and password', async () => {
    const service = await httpServer((_, answer) => answer.end('here'))
    const proxy = await tunnelling()
    const proxyUrl = proxy.url.replace('//', '//me:s%40fe@')
    const { client } = clientFor(service, { proxyUrl })
    expect(await client.ask(get)).toMatchObject({ text: 'here' })
    const basic = `Basic ${Buffer.from('me:s@fe').toString('base64')}`
    expect(proxy.asked.map(({ headers }) => headers['proxy-authorization'])).toEqual([basic])
    expect(proxy.asked[0]?.headers).not.toHaveProperty('apikey')
  })

  test('may be set for one request alone', async () => {
    const service = await httpServer((_, answer) => answer.end('here'))
    const proxy = await tunnelling()
    const { client } = clientFor(service)
    const via = openAgent(settingsFor(service), proxy.url)
    expect(await client.ask({ ...get, via })).toMatchObject({ text: 'here' })
    expect(await client.ask(get)).toMatchObject({ text: 'here' })
    expect(proxy.asked).toHaveLength(1)
    await via.destroy()
  })

  test('that refuses, is gone, hangs up or says nothing', async () => {
    const service = await deadUrl()
    let hungUp = 0
    const hangingUp = await answering((socket) => {
      hungUp++
      socket.end()
    })
    const ways: [string, string, number?][] = [
      [(await tunnelling(403)).url, 'the proxy responded 403 to CONNECT'],
      [await deadUrl(), 'connection refused by the proxy'],
      [hangingUp.url, 'the connection was closed by the proxy while it was set up'],
      [await rawServer(() => {}), 'no connection within 250 ms', 250],
    ]
    for (const [proxyUrl, message, timeoutMs = 10_000] of ways) {
      const { client } = clientFor(service, { proxyUrl, timeoutMs })
      const error = await client.ask({ ...once, method: 'PUT' }).catch((e) => e)
      expect([error.name, error.message]).toEqual(['Trouble', `PUT /t: ${message}`])
    }
    // undici alone would try again without end.
    expect(hungUp).toBe(1)
  })
})

const certificates = makeCertificates()
const { file, made } = certificates
afterAll(certificates.remove)

async function tlsServer(options: ServerOptions = {}) {
  const [cert, key] = [readFileSync(file('service', 'pem')), readFileSync(file('service', 'key'))]
  const server = createTlsServer({ cert, key, ...options }, (_, answer) => answer.end('safe'))
  server.on('tlsClientError', () => {})
  return `https://127.0.0.1:${await listening(server)}`
}

const hasNoOpenssl = skipWithout(made, 'connections over TLS, for want of openssl')
describe.skipIf(hasNoOpenssl)('over TLS', () => {
  const caFile = file('service', 'pem')

  test('an untrusted certificate is named, and not retried', async () => {
    const { client } = clientFor(await tlsServer())
    await expect(client.ask(get)).rejects.toThrow(
      'GET /t: its certificate is not trusted (self-signed); set CA_FILE to its issuer',
    )
    expect(client.requests).toBe(1)
  })

  test('CA_FILE makes a certificate trusted, also through a proxy', async () => {
    const url = await tlsServer()
    for (const through of [{}, { proxyUrl: (await tunnelling()).url }])
      expect((await clientFor(url, { caFile, ...through }).client.ask(get)).text).toBe('safe')
  })

  test('a certificate for another name is named', async () => {
    const url = (await tlsServer()).replace('127.0.0.1', 'localhost')
    const { client } = clientFor(url, { caFile })
    await expect(client.ask(get)).rejects.toThrow('its certificate is for another host name')
  })

  test('a client certificate is sent on request', async () => {
    const [clientCertFile, clientKeyFile] = [file('client', 'pem'), file('client', 'key')]
    const ca = readFileSync(clientCertFile)
    const url = await tlsServer({ ca, requestCert: true, rejectUnauthorized: true })
    const known = clientFor(url, { caFile, clientCertFile, clientKeyFile })
    expect(await known.client.ask(get)).toMatchObject({ text: 'safe' })
    await expect(clientFor(url, { caFile }).client.ask(once)).rejects.toThrow(
      /it requires a client certificate|the connection was (reset|closed)/,
    )
  })

  test('a swapped http and https is named', async () => {
    const url = await httpServer((_, answer) => answer.end())
    await expect(clientFor(url.replace('http', 'https')).client.ask(once)).rejects.toThrow(
      'it does not speak TLS',
    )
    const tls = (await tlsServer()).replace('https', 'http')
    await expect(clientFor(tls).client.ask(once)).rejects.toThrow(/GET \/t: /)
  })
})

test('a request has a trace of its own and the headers for a gateway, which stay between it and the service', async () => {
  const { url, asked } = await remembering()
  const elsewhere = await remembering()
  const extraHeaders = { 'x-gateway-key': 'gateway secret', 'x-env': 'test' }
  const { client, exchanges } = clientFor(url, { trace: true, extraHeaders })
  await client.ask({ ...get, path: '/gateway%20secret' })
  await client.ask(get)
  await client.ask({ ...get, base: elsewhere.url, key: null })
  const traces = asked.map(({ headers }) => headers.traceparent as string)
  for (const trace of traces) expect(trace).toMatch(/^00-[\da-f]{32}-[\da-f]{16}-01$/)
  expect(new Set(traces).size).toBe(2)
  expect(asked[0]?.headers).toMatchObject(extraHeaders)
  expect(elsewhere.asked[0]?.headers).not.toHaveProperty('traceparent')
  expect(elsewhere.asked[0]?.headers).not.toHaveProperty('x-gateway-key')
  const [first] = exchanges
  expect(first && traceIdOf(first)).toBe(traces[0]?.split('-')[1])
  expect(first?.requestHeaders).toMatchObject({
    'x-gateway-key': '(configured)',
    'x-env': '(configured)',
  })
  expect(first?.path).toBe('/(configured)')
})
