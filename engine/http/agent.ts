import { readFileSync } from 'node:fs'
import { rootCertificates } from 'node:tls'
import type { Dispatcher, Pool } from 'undici'
import { Agent, wholeUndici } from '../undici.ts'
import { unescaped } from '../unescaped.ts'
import type { WaySettings } from './client-settings.ts'
import { connectLimit, largestAnswer } from './limits.ts'

type Connect = NonNullable<Pool.Options['connect']>

/** Opens the way to the service: straight, or through a proxy (left out: the configured one). */
export function openAgent(settings: WaySettings, proxyUrl = settings.proxyUrl): Dispatcher {
  const timeout = connectLimit(settings)
  // a list of one's own replaces the roots, so they are named with it
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
    // times are kept by each attempt: undici's clock is coarse and starts anew with each 1xx
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
 * undici connects again without end when a connector fails with an error of a socket, which is what
 * a proxy that hangs up on CONNECT brings about: told by another code, the request fails instead.
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
  // undici leaves a name without a password out
  if (!username && !password) return undefined
  const pair = `${unescaped(username)}:${unescaped(password)}`
  return `Basic ${Buffer.from(pair).toString('base64')}`
}
