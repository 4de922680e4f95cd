import { randomBytes } from 'node:crypto'
import type { Dispatcher } from 'undici'
import { Trouble } from '../outcome.ts'
import type { Ask } from './ask.ts'
import type { ClientSettings } from './client-settings.ts'
import {
  configured,
  isVariation,
  type Redactor,
  redactor,
  redactorOfAll,
  secretsOf,
  shownKey,
  variation,
} from './redaction.ts'

/** A request as it is sent, and as it may be shown. */
export type Outgoing = {
  options: Dispatcher.DispatchOptions
  /** goes to the configured service by the configured way: its failures speak of that service */
  toService: boolean
  proxied: boolean
  repeatable: boolean
  /** takes the configured key, and the key of this request if it is much like it, out of a text */
  redact: Redactor
  /** the same for the names of headers, which come in lower case */
  redactNames: Redactor
  shown: { path: string; base?: string; headers: Record<string, string>; body?: string }
}

const plain: Record<string, string> = {
  accept: '*/*',
  'accept-encoding': 'gzip, br, deflate',
}

/** Makes a request of what is asked; the key of the run goes to the origin of its base alone. */
export function outgoing(ask: Ask, settings: ClientSettings, redaction: Redaction): Outgoing {
  const base = new URL(ask.base ?? settings.baseUrl)
  const home = base.origin === new URL(settings.baseUrl).origin
  const key = ask.key === undefined ? settings.apiKey : ask.key
  const withheld = key === settings.apiKey && !home && !ask.sendKeyElsewhere
  const ours = home || ask.sendKeyElsewhere ? forService(settings) : {}
  const headers = { ...ours, ...defaults(settings, ask.headers), ...ask.headers }
  const clean = redaction.text
  if (!home && !ask.sendKeyElsewhere) refuseLeak(ask, clean)
  // an empty key is sent as well: it is one of the keys that are not valid
  if (key !== null && !withheld) headers[settings.keyHeader] = key

  const redact =
    key && isVariation(settings.apiKey, key) ? both(settings.apiKey, key, clean) : clean
  const shownHeaders = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, shownValue(name, value)]),
  )
  function shownValue(name: string, value: string): string {
    if (settings.extraHeaders?.[name] === value) return configured
    return /key|auth|token/i.test(name) ? shownKey(settings.apiKey, value, redact) : redact(value)
  }

  return {
    options: {
      origin: base.origin,
      // as it is: whoever asks for "/tasks/../x" or "//" means it
      path: base.pathname.replace(/\/+$/, '') + ask.path || '/',
      method: ask.method,
      headers,
      body: ask.body ?? null,
    },
    toService: home && !ask.via,
    proxied: Boolean(ask.via ?? settings.proxyUrl),
    repeatable: ask.repeatable ?? ask.method === 'GET',
    redact,
    redactNames: redaction.names,
    shown: {
      path: redact(ask.path),
      ...(ask.base !== undefined && ask.base !== settings.baseUrl && { base: redact(ask.base) }),
      headers: shownHeaders,
      ...(ask.body !== undefined && { body: redact(ask.body) }),
    },
  }
}

/** Takes the secrets of a run out of what may be shown; made once, for making it takes a while. */
export type Redaction = { text: Redactor; names: Redactor }

/** Makes what takes every secret of the settings out of texts. */
export function createRedaction(settings: ClientSettings): Redaction {
  const { proxyUrl } = settings
  const secrets = secretsOf(settings)
  const clean = redactorOfAll(secrets)
  const names = redactorOfAll(secrets.map((secret) => secret.toLowerCase()))
  const password = proxyUrl ? new URL(proxyUrl).password : ''
  if (!password) return { text: clean, names }
  const withoutPassword = redactor(password)
  return { text: (text) => withoutPassword(clean(text)), names }
}

/** What goes to the service and to nobody else. */
const forService = ({ trace, extraHeaders }: ClientSettings): Record<string, string> => ({
  ...(trace ? { traceparent: newTraceparent() } : {}),
  ...extraHeaders,
})

/** A `traceparent` of W3C Trace Context, sampled, by which the service's log of one request is found. */
const newTraceparent = (): string =>
  `00-${randomBytes(16).toString('hex')}-${randomBytes(8).toString('hex')}-01`

function both(secret: string, key: string, clean: Redactor): Redactor {
  const other = redactor(key, variation)
  // the longer one first: a part taken out of the whole would leave the rest to be read
  if (key.length > secret.length) return (text) => clean(other(text))
  return (text) => other(clean(text))
}

function defaults({ userAgent }: ClientSettings, given: Record<string, string> = {}) {
  const names = new Set(Object.keys(given).map((name) => name.toLowerCase()))
  const own = { ...plain, 'user-agent': userAgent }
  return Object.fromEntries(Object.entries(own).filter(([name]) => !names.has(name)))
}

function refuseLeak({ path, body, headers = {} }: Ask, clean: Redactor) {
  for (const text of [path, body ?? '', ...Object.values(headers)])
    if (clean(text) !== text)
      throw new Trouble('the configured key would have been sent to another origin: not sent')
}
