// Requests to services of this process without a socket: each message travels for a moment of
// simulated time, drawn by a seed, which also decides which of several arrives first.
import { Readable } from 'node:stream'
import { getRequestListener } from '@hono/node-server'
import { seededRandom } from '../../engine/http/retry.ts'
import type { Carried, Transport } from '../../engine/http/transport.ts'
import type { Place } from '../../program/stand-in/embedded.ts'
import { after } from './time.ts'

type Fetch = (request: Request, address?: string) => Promise<Response>

// Replaces Node's Request and Response, which take a tenth of a proof.
getRequestListener(() => new Response(null), { overrideGlobalObjects: true })
const [lightBody] = Object.getOwnPropertySymbols(new Response('')).filter(
  ({ description }) => description === 'cache',
) as [symbol]

/** Node's server answers 431 to a larger head. */
const maxHead = 16_384

/** How long a part of a request, or its answer, travels. */
export type TravelMs = (part: 'head' | 'body' | 'answer', random: () => number) => number

const nearby: TravelMs = (_, random) => 0.05 + random()

/** A place for services that are reached without sockets. */
export function placeHere(seed: number, travelMs = nearby): Place {
  const random = seededRandom(seed)
  const travel = (part: Parameters<TravelMs>[0]) =>
    new Promise<void>((resolve) => after(travelMs(part, random), resolve))
  const services = new Map<string, Fetch>()

  /** The body of a request arrives a moment after its head. */
  async function* arriving(text: string) {
    await travel('body')
    if (text !== '') yield Buffer.from(text)
  }

  const transport: Transport = {
    async send({ origin, path, method, headers: given, body }, signal, started) {
      const fetch = services.get(String(origin))
      if (!fetch) throw failed('ECONNREFUSED', 'connect ECONNREFUSED')
      signal.throwIfAborted()
      if (/[^\u0021-\u00ff]/.test(path)) throw failed('UND_ERR_INVALID_ARG', 'invalid request path')
      const headers: Record<string, string> = {
        host: String(origin).replace('http://', ''),
        connection: 'keep-alive',
        ...headersOf(given as Record<string, string>),
      }
      const text = typeof body === 'string' ? body : null
      if (text !== null) headers['content-length'] = String(Buffer.byteLength(text))
      started()
      await travel('head')
      if (sizeOf(headers) + path.length > maxHead)
        return { statusCode: 431, headers: { connection: 'close' }, body: Readable.from([]) }
      const request = {
        method,
        url: new URL(`${origin}${path}`).href,
        headers: new Headers(headers),
        body: text === null ? null : arriving(text),
      }
      const answer = await fetch(request as unknown as Request, '127.0.0.1')
      // Time stands still during compression, which waits for its reader.
      const isCoded = answer.headers.has('content-encoding')
      const response = isCoded ? new Response(await answer.arrayBuffer(), answer) : answer
      await travel('answer')
      return carried(response, signal)
    },
    close: async () => {},
  }
  return {
    transport,
    async listenTo(fetch) {
      const origin = `http://127.0.0.1:${10_000 + services.size}`
      services.set(origin, fetch)
      return { origin, close: async () => void services.delete(origin) }
    },
  }
}

const failed = (code: string, message: string) => Object.assign(new Error(message), { code })

/** Refuses what undici refuses to send; blanks around a value are lost. */
function headersOf(given: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      if (/[^\t\x20-\x7e\x80-\xff]/.test(value))
        throw failed('UND_ERR_INVALID_ARG', `invalid ${name} header`)
      return [name.toLowerCase(), value.replace(/^[ \t]+|[ \t]+$/g, '')]
    }),
  )
}

const sizeOf = (headers: Record<string, string>) =>
  Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0)

/** An answer as Node's server and undici deliver it. */
function carried(response: Response, signal: AbortSignal): Carried {
  const { status } = response
  const headers: Carried['headers'] = {
    date: new Date().toUTCString(),
    connection: 'keep-alive',
    'keep-alive': 'timeout=65',
    ...Object.fromEntries(response.headers),
  }
  const cookies = response.headers.getSetCookie()
  if (cookies.length > 0) headers['set-cookie'] = cookies
  const body = contentOf(response)
  if (body === null) {
    if (status !== 204 && status !== 304) headers['content-length'] ??= '0'
    return { statusCode: status, headers, body: wholeBody() }
  }
  headers['content-type'] ??= 'text/plain; charset=UTF-8'
  if (typeof body === 'string' || body instanceof Uint8Array) {
    const bytes = typeof body === 'string' ? Buffer.from(body) : Buffer.from(body)
    headers['content-length'] ??= String(bytes.length)
    return { statusCode: status, headers, body: wholeBody(bytes) }
  }
  const pieces = piecesOf(body, signal)
  headers['transfer-encoding'] ??= 'chunked'
  return { statusCode: status, headers, body: Readable.from(pieces, { objectMode: false }) }
}

/** The reading methods of a body; a Node stream takes as long as everything else. */
const wholeBody = (...pieces: Buffer[]) => {
  const body = {
    readableLength: 0,
    on: () => body,
    destroy: () => body,
    async *[Symbol.asyncIterator]() {
      yield* pieces
    },
  }
  return body as unknown as Readable
}

type Content = string | Uint8Array | ReadableStream<Uint8Array> | null

/** The source of the body, if known: streaming it takes long. */
function contentOf(response: Response): Content {
  const known = (response as unknown as Record<symbol, unknown[] | undefined>)[lightBody]
  return known ? (known[1] as Content) : response.body
}

/** A body that breaks off ends like a closed connection. */
async function* piecesOf(body: ReadableStream<Uint8Array>, signal: AbortSignal) {
  try {
    for await (const piece of body) {
      signal.throwIfAborted()
      yield Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
    }
  } catch (error) {
    throw signal.aborted ? signal.reason : failed('UND_ERR_SOCKET', String(error))
  }
}
