import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer as createHttpServer, type IncomingMessage } from 'node:http'
import { createServer as createTlsServer, type ServerOptions } from 'node:https'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { openAgent } from '../../../engine/http/agent.ts'
import { skipWithout } from '../../worker-folders.ts'
import {
  answering,
  clientFor,
  deadUrl,
  httpServer,
  listening,
  rawServer,
  settingsFor,
} from './servers.ts'

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

const get = { method: 'GET', path: '/t' } as const
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
    const ways: [string, string][] = [
      [(await tunnelling(403)).url, 'the proxy responded 403 to CONNECT'],
      [await deadUrl(), 'connection refused by the proxy'],
      [hangingUp.url, 'the connection was closed by the proxy while it was set up'],
      [await rawServer(() => {}), 'no connection within 250 ms'],
    ]
    for (const [proxyUrl, message] of ways) {
      const timeoutMs = message.includes('within 250 ms') ? 250 : 10_000
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
    expect(await clientFor(url, { caFile }).client.ask(get)).toMatchObject({ text: 'safe' })
    const proxyUrl = (await tunnelling()).url
    expect(await clientFor(url, { caFile, proxyUrl }).client.ask(get)).toMatchObject({
      text: 'safe',
    })
  })

  test('a certificate for another name is named', async () => {
    const url = (await tlsServer()).replace('127.0.0.1', 'localhost')
    const { client } = clientFor(url, { caFile })
    await expect(client.ask(get)).rejects.toThrow('its certificate is for another host name')
  })

  test('a client certificate is sent on request', async () => {
    const ca = readFileSync(file('client', 'pem'))
    const url = await tlsServer({ ca, requestCert: true, rejectUnauthorized: true })
    const clientCertFile = file('client', 'pem')
    const clientKeyFile = file('client', 'key')
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
