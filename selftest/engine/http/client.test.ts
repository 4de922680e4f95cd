import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer as createHttpServer, type IncomingMessage } from 'node:http'
import { createServer as createTlsServer, type ServerOptions } from 'node:https'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { openAgent } from '../../../engine/http/agent.ts'
import type { Ask } from '../../../engine/http/ask.ts'
import { type Exchange, traceIdOf } from '../../../engine/http/exchange.ts'
import type { Settings } from '../../../helpers/settings/table.ts'
import { skipWithout } from '../../worker-folders.ts'
import {
  answering,
  clientFor,
  deadUrl,
  get,
  httpServer,
  key,
  listening,
  once,
  rawServer,
  remembering,
  settingsFor,
} from './servers.ts'

/** The answer to one request by a client of these settings. */
const answerTo = (request: Ask, url: string, more?: Partial<Settings>) =>
  clientFor(url, more).client.ask(request)

test('an answer is given as it came, decoded', async () => {
  const text = '\ufeff{"a":"ü"}'
  const url = await httpServer((_, answer) => {
    answer.setHeader('Content-Encoding', 'gzip')
    answer.setHeader('Set-Cookie', ['a=1', 'b=2'])
    answer.end(gzipSync(text))
  })
  expect(await answerTo(get, `${url}/v5/`)).toMatchObject({
    ...{ method: 'GET', status: 200, headers: { 'set-cookie': 'a=1, b=2' }, attempts: 1 },
    ...{ text: '{"a":"ü"}', bytes: Buffer.from(text), validUtf8: true },
  })
})

test('an answer with more than its Content-Length leaves nothing to the next request', async () => {
  const { url } = await answering((socket, request) => {
    const path = request.split(' ')[1]
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n${path}HTTP/1.1 418 X\r\n\r\n`)
  })
  const { client } = clientFor(url)
  expect(await client.ask({ method: 'GET', path: '/1' })).toMatchObject({ text: '/1' })
  expect(await client.ask({ method: 'GET', path: '/2' })).toMatchObject({ text: '/2' })
})

test('an answer that redirects is not followed', async () => {
  const { url, asked } = await remembering()
  const redirecting = await httpServer((_, answer) =>
    answer.writeHead(302, { Location: url }).end(),
  )
  const headers = { location: url }
  expect(await answerTo(get, redirecting)).toMatchObject({ status: 302, headers })
  expect(asked).toHaveLength(0)
})

test('a request is sent unchanged, with the key and only documented headers', async () => {
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

test('a request has the key, or another one, or none, and the key at no other origin unless asked to', async () => {
  const [home, elsewhere] = [await remembering(), await remembering()]
  const { client } = clientFor(home.url)
  const ways = [{}, { key }, { key: null }, { key: 'wrong' }, { sendKeyElsewhere: true as const }]
  for (const { url } of [home, elsewhere])
    for (const way of ways) await client.ask({ ...get, base: url, ...way })
  const keysOf = ({ asked }: typeof home) => asked.map(({ headers }) => headers.apikey)
  expect(keysOf(home)).toEqual([key, key, undefined, 'wrong', key])
  expect(keysOf(elsewhere)).toEqual([undefined, undefined, undefined, 'wrong', key])
  const hidden = client.ask({ ...get, base: elsewhere.url, headers: { 'x-key': key } })
  await expect(hidden).rejects.toThrow('would have been sent to another origin')
  expect(elsewhere.asked).toHaveLength(5)
})

const badKey = 'GET /t: cannot be sent: HTTP cannot carry it (invalid apikey header)'
const badPath = 'GET /a b: cannot be sent: its path contains characters that a path cannot hold'
test.each([
  [{ key: 'a\nb' }, badKey],
  [{ key: 'a\u0000b' }, badKey],
  [{ key: 'snow \u2603' }, badKey],
  [{ path: '/a b' }, badPath],
])('a request with %j, which HTTP cannot carry, is not sent', async (given, message) => {
  const { url, asked } = await remembering()
  const trouble = { name: 'Trouble', message }
  await expect(answerTo({ ...get, ...given }, url)).rejects.toMatchObject(trouble)
  expect(asked).toHaveLength(0)
})

test('a record goes to the recorder of its request, with what was sent and came, never the key', async () => {
  const url = await httpServer((request, answer) => {
    answer.setHeader('X-Echo', `${request.headers.apikey}`)
    answer.end(JSON.stringify({ key: request.headers.apikey }))
  })
  let begun = 0
  const { client, exchanges } = clientFor(url, {}, { onRequest: () => begun++ })
  const path = `/t?apikey=${encodeURIComponent(key)}`
  const own: Exchange[] = []
  const request = { method: 'PUT', path, body: JSON.stringify({ key }) } as const
  const answer = await client.ask(request, (exchange) => own.push(exchange))
  expect(JSON.parse(answer.text).key).toBe(key)
  expect(own).toMatchObject([
    {
      method: 'PUT',
      path: '/t?apikey=(configured)',
      requestHeaders: { apikey: '(configured)' },
      requestBody: '{"key":"(configured)"}',
      status: 200,
      headers: { 'x-echo': '(configured)' },
      body: '{"key":"(configured)"}',
      attempt: 1,
    },
  ])
  expect(own[0]).not.toHaveProperty('base')
  expect(answer.path).toBe('/t?apikey=(configured)')
  expect([exchanges.length, begun, client.requests]).toEqual([0, 1, 1])
})

test('a record does not reveal the key through a similar wrong one', async () => {
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

test.each([
  ['long', Buffer.alloc(5000, 'a')],
  ['binary', Buffer.from([0, 255, 7])],
])('a record shows a %s body by size and hash', async (_, bytes) => {
  const { client, exchanges } = clientFor(await httpServer((_, answer) => answer.end(bytes)))
  await client.ask(get)
  const [{ body, bodyBytes, bodySha256 } = {}] = exchanges
  const hash = createHash('sha256').update(bytes).digest('hex')
  expect([body, bodyBytes, bodySha256]).toEqual([undefined, bytes.length, hash])
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

test('a proxy is used with its name and password, or for one request alone', async () => {
  const service = await httpServer((_, answer) => answer.end('here'))
  const { url, asked } = await tunnelling()
  const via = openAgent(settingsFor(service), url)
  const { client } = clientFor(service)
  const answers = [
    await answerTo(get, service, { proxyUrl: url.replace('//', '//me:s%40fe@') }),
    await client.ask({ ...get, via }),
    await client.ask(get),
  ]
  expect(answers.map(({ text }) => text)).toEqual(['here', 'here', 'here'])
  const basic = `Basic ${Buffer.from('me:s@fe').toString('base64')}`
  expect(asked.map(({ headers }) => headers['proxy-authorization'])).toEqual([basic, undefined])
  expect(asked[0]?.headers).not.toHaveProperty('apikey')
  await via.destroy()
})

test('a proxy that refuses, is gone, hangs up or says nothing is named', async () => {
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
    const asked = answerTo({ ...once, method: 'PUT' }, service, { proxyUrl, timeoutMs })
    await expect(asked).rejects.toMatchObject({ name: 'Trouble', message: `PUT /t: ${message}` })
  }
  // undici alone would try again without end.
  expect(hungUp).toBe(1)
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
  const [clientCertFile, clientKeyFile] = [file('client', 'pem'), file('client', 'key')]
  const demanding = () =>
    tlsServer({ ca: readFileSync(clientCertFile), requestCert: true, rejectUnauthorized: true })

  test('CA_FILE makes a certificate trusted, also through a proxy, and a client certificate is sent', async () => {
    const url = await tlsServer()
    const { url: proxyUrl } = await tunnelling()
    const own = { caFile, clientCertFile, clientKeyFile }
    expect(await answerTo(get, url, { caFile })).toMatchObject({ text: 'safe' })
    expect(await answerTo(get, url, { caFile, proxyUrl })).toMatchObject({ text: 'safe' })
    expect(await answerTo(get, await demanding(), own)).toMatchObject({ text: 'safe' })
  })

  const plain = () => httpServer((_, answer) => answer.end())
  // biome-ignore format: one failure a line
  test.each<[string, () => Promise<string>, Partial<Settings>, string | RegExp]>([
    ['an untrusted certificate', tlsServer, {}, 'its certificate is not trusted (self-signed); set CA_FILE to its issuer'],
    ['a certificate for another name', async () => (await tlsServer()).replace('127.0.0.1', 'localhost'), { caFile }, 'its certificate is for another host name'],
    ['no client certificate', demanding, { caFile }, /it requires a client certificate|the connection was (reset|closed)/],
    ['https for http', async () => (await plain()).replace('http', 'https'), {}, 'it does not speak TLS'],
    ['http for https', async () => (await tlsServer()).replace('https', 'http'), {}, /GET \/t: /],
  ])('%s is named', async (_, start, more, sentence) => {
    await expect(answerTo(once, await start(), more)).rejects.toThrow(sentence)
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
