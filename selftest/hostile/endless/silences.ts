import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Spoil } from '../in-front.ts'

/** What a service does with a request instead of answering it. */
export type Silence = (incoming: IncomingMessage, outgoing: ServerResponse) => void

const json = { 'content-type': 'application/json' }

export const silences: Record<string, Silence> = {
  'no answer': () => {},
  'headers and then nothing': (_, outgoing) => {
    outgoing.writeHead(200, json)
    outgoing.flushHeaders()
  },
  'a byte a second': (_, outgoing) => {
    outgoing.writeHead(200, json)
    const drip = setInterval(() => outgoing.write(' '), 1000)
    outgoing.on('close', () => clearInterval(drip))
  },
}

/** Which requests are met with it; of requests so far, the count. */
export type Scope = (incoming: IncomingMessage, count: number) => boolean

const isPut = ({ method }: IncomingMessage) => method === 'PUT'
const isExport = ({ url = '' }: IncomingMessage) => url.includes('/export')

/** Between the first contact and the end of a run that takes about 1,200 requests. */
const middle = 300
const begun = 30

export const scopes: Record<string, Scope> = {
  'each PUT': isPut,
  'each PUT from the middle on': (incoming, count) => count > middle && isPut(incoming),
  'each export': isExport,
  'each read of a task': ({ method, url = '' }, count) =>
    count > begun && method === 'GET' && url.includes('/tasks/'),
  'everything after the first contact': (_, count) => count > begun,
  'everything from the middle on': (_, count) => count > middle,
}

export const spoiling =
  (silence: Silence, scope: Scope): Spoil =>
  (incoming, outgoing, count) => {
    if (!scope(incoming, count)) return false
    silence(incoming, outgoing)
    return true
  }
