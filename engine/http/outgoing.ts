import type { Dispatcher } from 'undici'
import { Trouble } from '../outcome.ts'
import { chance } from '../time/timers.ts'
import type { Ask, HeaderForm } from './ask.ts'
import type { ClientSettings } from './client-settings.ts'
import {
  configured,
  formOf,
  isVariation,
  type Redactor,
  redactor,
  redactorOfAll,
  secretsOf,
  shownKey,
} from './redaction.ts'

export type Outgoing = {
  options: Dispatcher.DispatchOptions
  /** by the configured way, so that its failures count for the service */
  toService: boolean
  proxied: boolean
  repeatable: boolean
  /** removes the configured key, and this request's key if it resembles it */
  redact: Redactor
  redactNames: Redactor
  shown: { path: string; base?: string; headers: Record<string, string>; body?: string }
}

/** Builds a request. Only the origin of the base gets the run's key. */
export function outgoing(ask: Ask, settings: ClientSettings, redaction: Redaction): Outgoing {
  const { apiKey, baseUrl, keyHeader, extraHeaders = {}, trace, userAgent, proxyUrl } = settings
  const { method, path, body, via, sendKeyElsewhere, key = apiKey } = ask
  const base = new URL(ask.base ?? baseUrl)
  const home = base.origin === new URL(baseUrl).origin
  const isTrusted = home || sendKeyElsewhere
  const clean = redaction.text
  if (!isTrusted) refuseLeak(ask, clean)
  const given = new Set(Object.keys(ask.headers ?? {}).map((name) => name.toLowerCase()))
  const plain = { accept: '*/*', 'accept-encoding': 'gzip, br, deflate', 'user-agent': userAgent }
  const named: Record<string, string> = {
    ...(isTrusted && trace && { traceparent: newTraceparent() }),
    ...(isTrusted && extraHeaders),
    ...Object.fromEntries(Object.entries(plain).filter(([name]) => !given.has(name))),
    ...ask.headers,
  }
  // Send an empty key too: it is one of the invalid keys.
  if (key !== null && (isTrusted || key !== apiKey)) named[keyHeader] = key
  const headers = ask.headerForm ? inForm(named, ask.headerForm) : named

  const redact = key && isVariation(apiKey, key) ? both(apiKey, key, clean) : clean
  function shownValue(name: string, value: string): string {
    if (extraHeaders[name] === value) return configured
    return /key|auth|token/i.test(name) ? shownKey(apiKey, value, redact) : redact(value)
  }

  return {
    options: {
      origin: base.origin,
      // Unchanged: a caller that asks for "/a/../b" or "//" means it.
      path: base.pathname.replace(/\/+$/, '') + path || '/',
      method,
      headers,
      body: body ?? null,
    },
    toService: home && !via,
    proxied: Boolean(via ?? proxyUrl),
    repeatable: ask.repeatable ?? method === 'GET',
    redact,
    redactNames: redaction.names,
    shown: {
      path: redact(path),
      ...(ask.base !== undefined && ask.base !== baseUrl && { base: redact(ask.base) }),
      headers: Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name, shownValue(name, value)]),
      ),
      ...(body !== undefined && { body: redact(body) }),
    },
  }
}

const nameIn: Record<HeaderForm, (name: string) => string> = {
  'upper case': (name) => name.toUpperCase(),
  'title case': (name) => name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()),
}

const inForm = (headers: Record<string, string>, form: HeaderForm): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      const isJson = name === 'content-type' && value === 'application/json'
      return [nameIn[form](name), isJson ? `${value}; charset=utf-8` : value]
    }),
  )

type Redaction = { text: Redactor; names: Redactor }

export function createRedaction(settings: ClientSettings): Redaction {
  const secrets = secretsOf(settings)
  const password = settings.proxyUrl ? new URL(settings.proxyUrl).password : ''
  return {
    text: redactorOfAll(password ? [...secrets, password] : secrets),
    names: redactorOfAll(secrets.map((secret) => secret.toLowerCase())),
  }
}

/** W3C Trace Context */
const newTraceparent = (): string => `00-${hex()}-${hex().slice(16)}-01`

/** Node draws these in batches; own random bytes take ten times as long. */
const hex = () => chance.uuid().replaceAll('-', '')

function both(secret: string, key: string, clean: Redactor): Redactor {
  const other = redactor(key, formOf(secret, key))
  // The longer key first: removing a part of it would leave the rest readable.
  if (key.length > secret.length) return (text) => clean(other(text))
  return (text) => other(clean(text))
}

function refuseLeak({ path, body, headers = {} }: Ask, clean: Redactor) {
  for (const text of [path, body ?? '', ...Object.values(headers)])
    if (clean(text) !== text)
      throw new Trouble('the configured key would have been sent to another origin: not sent')
}
