import { readFileSync } from 'node:fs'
import { rootCertificates } from 'node:tls'
import type { Dispatcher, Pool } from 'undici'
import { Agent, wholeUndici } from '../undici.ts'
import { unescaped } from '../unescaped.ts'
import type { WaySettings } from './client-settings.ts'
import { connectLimit, largestAnswer } from './limits.ts'

type Connect = NonNullable<Pool.Options['connect']>

/** Opens the way to the service: direct, or through a proxy (default: the configured one). */
export function openAgent(settings: WaySettings, proxyUrl = settings.proxyUrl): Dispatcher {
  const timeout = connectLimit(settings)
  // A custom list replaces the built-in roots, so add them.
  const ca = settings.caFile
    ? [...rootCertificates, readFileSync(settings.caFile, 'utf8')]
    : undefined
  const cert = settings.clientCertFile && readFileSync(settings.clientCertFile)
  const key = settings.clientKeyFile && readFileSync(settings.clientKeyFile)
  const tls = { timeout, ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) }
  const options = {
    allowH2: false,
    pipelining: 1,
    maxResponseSize: largestAnswer(settings),
    // Each attempt keeps its own times: undici's clock is coarse and restarts with each 1xx.
    headersTimeout: 0,
    bodyTimeout: 0,
  }
  if (!proxyUrl) return new Agent({ ...options, connect: tls })

  const { Pool, ProxyAgent } = wholeUndici()
  const proxy = new URL(proxyUrl)
  const token = authorization(proxy)
  return new ProxyAgent({
    ...options,
    uri: proxy.origin,
    ...(token && { token }),
    requestTls: tls,
    proxyTls: { timeout, ...(ca && { ca }) },
    clientFactory: (origin, pool) => new Pool(origin, { ...pool, headersTimeout: timeout }),
    factory: (origin, pool: Pool.Options) =>
      new Pool(origin, { ...pool, connect: failing(pool.connect as Connect) }),
  })
}

/**
 * undici reconnects without end if a connector fails with a socket error, as when a proxy hangs up on
 * CONNECT. Under another code the request fails.
 */
function failing(connect: Connect): Connect {
  if (typeof connect !== 'function') return connect
  return (options, callback) =>
    connect(options, (error, socket) => {
      if (!error) return callback(null, socket as NonNullable<typeof socket>)
      const isEndless = /^UND_ERR_(SOCKET|INFO)$/.test((error as NodeJS.ErrnoException).code ?? '')
      const closed = Object.assign(new Error(error.message), { code: 'PROXY_CLOSED' })
      callback(isEndless ? closed : error, null)
    })
}

function authorization({ username, password }: URL): string | undefined {
  // undici ignores a user name without a password.
  if (!username && !password) return undefined
  const pair = `${unescaped(username)}:${unescaped(password)}`
  return `Basic ${Buffer.from(pair).toString('base64')}`
}
