import { readFileSync } from 'node:fs'
import { rootCertificates } from 'node:tls'
import type { Dispatcher, Pool } from 'undici'
import { Agent, wholeUndici } from '../undici.ts'
import { unescaped } from '../unescaped.ts'
import type { Ask } from './ask.ts'
import type { ClientSettings, WaySettings } from './client-settings.ts'

export type Limits = {
  connectMs: number
  /** from sending to the head of the answer, or to a file's first byte */
  answerMs: number
  /** of files: such a timeout is not retried */
  answerLimit?: string
  idleMs: number
  /** from sending to the end of the answer; ends an endless trickle */
  totalMs: number
  /** the least that a body brings per time after its first byte */
  least?: { bytes: number; ms: number }
  maxBytes: number
}

export const megabyte = 1048576
const mostForOne = 2
const mostForFew = 8
const leastOfFile = { bytes: 1024, ms: 10_000 }

const connectLimit = ({ timeoutMs }: WaySettings): number => Math.min(timeoutMs, 5000)

const largestAnswer = ({ maxExportMb }: WaySettings): number =>
  Math.max(maxExportMb, mostForFew) * megabyte

export function limitsFor(ask: Ask, settings: ClientSettings, isDownload: boolean): Limits {
  const { timeoutMs, downloadTimeoutS, maxExportMb } = settings
  const isFile = isDownload || ask.exported === true
  const answerMs = isFile ? downloadTimeoutS * 1000 : timeoutMs
  const most = isDownload ? maxExportMb : ask.exported ? mostForFew : mostForOne
  return {
    connectMs: connectLimit(settings),
    answerMs,
    // A retry would take as long again, and the next request waits.
    ...(isFile && { answerLimit: 'DOWNLOAD_TIMEOUT_S', least: leastOfFile }),
    idleMs: timeoutMs,
    totalMs: Math.round(answerMs + timeoutMs * (isDownload ? 30 : isFile ? 1 : 0.25)),
    maxBytes: most * megabyte,
  }
}

type Connect = NonNullable<Pool.Options['connect']>

/** Opens the way to the service: direct, or through a proxy (default: the configured one). */
export function openAgent(settings: WaySettings, proxyUrl = settings.proxyUrl): Dispatcher {
  const timeout = connectLimit(settings)
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
 * undici reconnects without end if a connector fails with a socket error; under another code the request fails.
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
  if (!username && !password) return undefined
  const pair = `${unescaped(username)}:${unescaped(password)}`
  return `Basic ${Buffer.from(pair).toString('base64')}`
}
