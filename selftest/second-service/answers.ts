// How answers look: JSON spellings, content types, encodings, error bodies, headers.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { serviceNow } from './clock.ts'

const answersPerSocket = new WeakMap<Socket, number>()
let turn = 0

function next<T>(list: readonly T[]): T {
  turn += 1
  // scattered, as equal steps would pair the same choices again and again
  const value = list[(Math.imul(turn ^ (turn >>> 3), 2_654_435_761) >>> 15) % list.length]
  if (value === undefined) throw new Error('an empty list of answers')
  return value
}

// Legal: the contract says JSON and shows neither a Content-Type nor a layout nor an order.
const JSON_TYPES = [
  'application/vnd.oddly+json; charset=utf-8',
  'application/json',
  'application/hal+json;profile="x;y"',
  'Application/JSON; Charset="UTF-8"',
  'text/json',
]
const LAYOUTS: ((value: unknown) => string)[] = [
  (value) => JSON.stringify(value, null, 2),
  (value) => JSON.stringify(value),
  (value) => `\r\n${JSON.stringify(value, null, '\t')}\r\n`,
  // every character that is not ASCII as an escape, and an escaped slash
  (value) =>
    JSON.stringify(value)
      .replace(/[^\x20-\x7e]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .replaceAll('/', '\\/'),
]
const ORDERS: ((value: object) => object)[] = [
  (value) => Object.fromEntries(Object.entries(value).reverse()),
  (value) => value,
  (value) => Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? 1 : -1))),
]

export function sendJson(
  req: IncomingMessage,
  res: ServerResponse,
  status: number,
  value: object,
): void {
  res.setHeader('Content-Type', next(JSON_TYPES))
  // legal: the version is updated_at; what an ETag would hold is not mentioned
  res.setHeader('ETag', next(['W/"0"', '"gen-7"', 'W/"same-for-all"']))
  res.setHeader('Vary', '*')
  finish(req, res, status, Buffer.from(next(LAYOUTS)(next(ORDERS)(value))))
}

// Legal: "Shape of the error response body: not shown". "All … response bodies are JSON" leaves
// no body, or any JSON value; text and XML would break that sentence here.
const JSON_ERRORS: ((status: number, why: string) => unknown)[] = [
  () => undefined,
  (_, why) => why,
  () => null,
  (status, why) => [{ Fault: { code: `E${status}`, hint: why, inner: null } }],
  (status) => status,
  (status, why) => ({ type: 'about:blank', title: why, status }),
  () => ({}),
  () => false,
]

export function sendJsonError(
  req: IncomingMessage,
  res: ServerResponse,
  status: number,
  why: string,
): void {
  if (status === 401) res.setHeader('WWW-Authenticate', 'ApiKey realm="odd"')
  if (status === 409) res.setHeader('Retry-After', '0')
  const value = next(JSON_ERRORS)(status, why)
  if (value === undefined) {
    finish(req, res, status, Buffer.alloc(0))
    return
  }
  res.setHeader('Content-Type', next(['application/problem+json', ...JSON_TYPES]))
  finish(req, res, status, Buffer.from(next(LAYOUTS)(value)))
}

// Legal: the export is excepted from the sentence that all bodies are JSON.
export function sendExportError(
  req: IncomingMessage,
  res: ServerResponse,
  status: number,
  why: string,
): void {
  const xml = `<?xml version="1.0"?>\n<fault code="${status}"><why>${why}</why></fault>\n`
  const [type, text] = next([
    ['text/plain', why],
    ['application/xml; charset=utf-8', xml],
    ['text/html', `<!doctype html><title>${status}</title><h1>${why}</h1>`],
    ['application/octet-stream', ''],
  ] as const)
  res.setHeader('Content-Type', type)
  finish(req, res, status, Buffer.from(text))
}

export function finish(
  req: IncomingMessage,
  res: ServerResponse,
  status: number,
  body: Buffer,
): void {
  res.sendDate = false
  res.setHeader('Date', new Date(serviceNow()).toUTCString())
  res.setHeader('X-Odd-Node', `n${turn % 3}`)
  res.setHeader('Set-Cookie', ['lb=7; Path=/; HttpOnly', 'seen=""; Max-Age=1'])
  const count = (answersPerSocket.get(req.socket) ?? 0) + 1
  answersPerSocket.set(req.socket, count)
  // legal HTTP: a server may close a connection after any answer when it says so
  if (count >= 4) res.setHeader('Connection', 'close')
  const packed = body.length === 0 ? body : compress(req, res, body)
  // an unusual reason phrase; it carries no meaning
  res.statusMessage = next(['', 'Quite So', 'Hm'])
  res.statusCode = status
  if (packed.length < 2 || turn % 2 === 0) {
    res.setHeader('Content-Length', packed.length)
    res.end(packed)
    return
  }
  // no Content-Length, and a body that comes in two parts
  const half = Math.floor(packed.length / 2)
  res.write(packed.subarray(0, half))
  setTimeout(() => res.end(packed.subarray(half)), 15)
}

function compress(req: IncomingMessage, res: ServerResponse, body: Buffer): Buffer {
  const accepted = String(req.headers['accept-encoding'] ?? '')
    .toLowerCase()
    .split(',')
    .map((part) => part.trim())
    .filter((part) => !/;\s*q=0(\.0*)?$/.test(part))
    .map((part) => part.split(';')[0]?.trim())
  const wanted = next(['br', 'gzip', 'identity'])
  if (wanted === 'identity' || !accepted.includes(wanted)) return body
  res.setHeader('Content-Encoding', wanted)
  return wanted === 'br' ? brotliCompressSync(body, swiftly) : gzipSync(body, { level: 1 })
}

// At its best brotli keeps all others waiting for seconds.
const swiftly = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }
