// Requests of a run that is recorded go over sockets, and what came is kept. Those of a replay get what came in
// the record, when it came there.

import type { Readable } from 'node:stream'
import {
  brotliDecompressSync,
  gunzipSync,
  inflateRawSync,
  inflateSync,
  constants as zlib,
} from 'node:zlib'
import { NotDecidable } from '../../outcome.ts'
import {
  awaitEntry,
  depart,
  departureOf,
  enter,
  enteredAt,
  logNow,
  standsAt,
} from '../../time/entries.ts'
import { clock } from '../../time/timers.ts'
import { codeOf } from '../failure.ts'
import type { Outgoing } from '../outgoing.ts'
import type { Carried, Transport } from '../transport.ts'
import { comparable, findByRequest, type Kept, repeat } from './kept.ts'
import { stringsInPdf } from './pdf-strings.ts'
import { type Tape, tapeNow } from './tape.ts'
import { append, digestOf, httpBlock, revisitOf } from './warc.ts'

/** The way of a request: itself, kept on its way, or out of a record. */
export function throughRecord(way: Transport, request: Outgoing): Transport {
  const tape = tapeNow()
  if (!tape) return way
  return tape.mode === 'record' ? recording(tape, way, request) : replaying(tape, request)
}

type Failed = { name: string; message: string; code?: string }

function failedBy(error: unknown): Failed {
  const { name, message } = error instanceof Error ? error : { name: '', message: String(error) }
  const code = codeOf(error)
  return { name, message, ...(code && { code }) }
}
const thrown = (failed: unknown) => Object.assign(new Error(), failed as Failed)

const blockOf = ({ options, shown }: Outgoing): Buffer => {
  const base = shown.base === undefined ? {} : { base: shown.base }
  return httpBlock(
    `${options.method} ${shown.path} HTTP/1.1`,
    { ...shown.headers, ...base },
    Buffer.from(shown.body ?? ''),
  )
}

/** As much of a body as an attempt uses. */
const bodyOf = (pieces: AsyncGenerator<Buffer>, destroy: () => void): Readable => {
  const body = {
    readableLength: 0,
    on: () => body,
    destroy: () => {
      destroy()
      return body
    },
    [Symbol.asyncIterator]: () => pieces,
  }
  return body as unknown as Readable
}

/** A larger body would stand in memory whole. */
const mostKept = 64 * 1024 * 1024

const recording = (tape: Tape, way: Transport, request: Outgoing): Transport => ({
  send: (options, signal, started) =>
    new Promise<Carried>((resolve, reject) => {
      tape.sent += 1
      const n = tape.sent
      const fields = {
        'WARC-Target-URI': request.redact(`${options.origin}${options.path}`),
        Exchange: String(n),
      }
      const asked = { 'WARC-Type': 'request', ...fields, ...http('request') }
      const id = append(tape.warc, asked, blockOf(request), clock.iso())
      way
        .send(options, signal, () => enter(`begun ${n}`, started))
        .then(
          (carried) => {
            carried.body.on('error', () => {})
            const body = kept(carried, n, (bytes, isTooLarge) =>
              keep(tape, { ...fields, 'WARC-Concurrent-To': id }, carried, { bytes, isTooLarge }),
            )
            enter(`head ${n}`, () => resolve({ ...carried, body }))
          },
          (error) => enter(`head ${n}`, () => reject(error), failedBy(error)),
        )
    }),
  close: () => way.close(),
})

const http = (what: string) => ({ 'Content-Type': `application/http;msgtype=${what}` })

/** A body whose pieces enter one by one; in the end all that came is kept. */
function kept(
  { body }: Carried,
  n: number,
  ended: (bytes: Buffer, isTooLarge: boolean) => void,
): Readable {
  const came: Buffer[] = []
  let size = 0
  let isKept = false
  const end = () => {
    if (!isKept) ended(Buffer.concat(came), size > mostKept)
    isKept = true
  }
  async function* pieces() {
    const source = body[Symbol.asyncIterator]()
    try {
      for (let k = 1; ; k += 1) {
        const piece = await new Promise<IteratorResult<Buffer>>((resolve, reject) => {
          const key = `piece ${n} ${k}`
          source.next().then(
            (got) => enter(key, () => resolve(got), got.done ? -1 : got.value.length),
            (error) => enter(key, () => reject(error), failedBy(error)),
          )
        })
        if (piece.done) return
        size += piece.value.length
        if (size <= mostKept) came.push(piece.value)
        yield piece.value
      }
    } finally {
      void source.return?.()
      end()
    }
  }
  return bodyOf(pieces(), () => {
    body.destroy()
    end()
  })
}

function keep(
  tape: Tape,
  fields: Record<string, string>,
  { statusCode, headers }: Carried,
  { bytes, isTooLarge }: { bytes: Buffer; isTooLarge: boolean },
): void {
  const first = `HTTP/1.1 ${statusCode} `
  const head = httpBlock(first, headers, Buffer.alloc(0))
  const isSecret = [head, ...viewsOf(headers, bytes)].some(tape.holdsSecret)
  const leftOut = isSecret
    ? 'it holds a secret'
    : isTooLarge
      ? 'it is larger than 64 MB'
      : undefined
  const response = { 'WARC-Type': 'response', ...http('response'), ...fields }
  if (leftOut) {
    const block = httpBlock(first, {}, Buffer.alloc(0))
    append(tape.warc, { ...response, 'Left-Out': leftOut }, block, clock.iso())
    return
  }
  const digest = digestOf(bytes)
  const before = bytes.length > 0 ? tape.payloads.get(digest) : undefined
  const payload = { ...response, 'WARC-Payload-Digest': digest }
  if (before) append(tape.warc, { ...payload, ...revisitOf(before) }, head, clock.iso())
  else
    tape.payloads.set(digest, append(tape.warc, payload, Buffer.concat([head, bytes]), clock.iso()))
}

const flushed = { maxOutputLength: mostKept, finishFlush: zlib.Z_SYNC_FLUSH }
const decoders: Record<string, (bytes: Buffer) => Buffer> = {
  gzip: (bytes) => gunzipSync(bytes, flushed),
  'x-gzip': (bytes) => gunzipSync(bytes, flushed),
  br: (bytes) =>
    brotliDecompressSync(bytes, { ...flushed, finishFlush: zlib.BROTLI_OPERATION_FLUSH }),
  deflate: (bytes) =>
    ((bytes[0] ?? 0) & 0x0f) === 8 ? inflateSync(bytes, flushed) : inflateRawSync(bytes, flushed),
}

/** A body as it came, without each of its codings, and the texts of a PDF: a secret may be in any of them. */
function* viewsOf(headers: Carried['headers'], bytes: Buffer): Generator<Buffer> {
  yield bytes
  let decoded = bytes
  for (const coding of String(headers['content-encoding'] ?? '')
    .split(',')
    .reverse()) {
    try {
      decoded = decoders[coding.trim().toLowerCase()]?.(decoded) ?? decoded
    } catch {
      // It is not what it says.
    }
    if (decoded !== bytes) yield decoded
  }
  // UTF-16 has a zero beside each letter of a secret.
  if (decoded.includes(0)) yield Buffer.from(decoded.toString('latin1').replaceAll('\0', ''))
  yield* stringsInPdf(decoded)
}

const notInRecord = (tape: Tape, { options, shown }: Outgoing, why = ''): NotDecidable => {
  tape.missing += 1
  return new NotDecidable(
    'data',
    `${options.method} ${shown.path} is not in this record${why && ` (${why})`}`,
  )
}

const replaying = (tape: Tape, request: Outgoing): Transport => ({
  send: (_options, _signal, started) =>
    new Promise<Carried>((resolve, reject) => {
      const found = find(tape, request)
      if (!found) return reject(notInRecord(tape, request))
      repeat(found, tape)
      const { n, head, leftOut } = found
      const missing = () => reject(notInRecord(tape, request))
      const begun = enteredAt(`begun ${n}`) ?? enteredAt(`head ${n}`)
      const after = departureOf() && begun !== undefined ? standsAt() - begun : 0
      awaitEntry(`begun ${n}`, { act: started, missing: () => {} }, after)
      const act = (failed: unknown) => {
        if (failed) reject(thrown(failed))
        else if (leftOut || !head) reject(notInRecord(tape, request, leftOut))
        else resolve({ ...head, body: bodyOf(piecesOf(tape, request, found, after), () => {}) })
      }
      awaitEntry(`head ${n}`, { act, missing }, after)
    }),
  close: async () => {},
})

async function* piecesOf(
  tape: Tape,
  request: Outgoing,
  { n, body = Buffer.alloc(0) }: Kept,
  after: number,
): AsyncGenerator<Buffer> {
  let at = 0
  for (let k = 1; ; k += 1) {
    const came = await new Promise<unknown>((act, reject) => {
      const missing = () => reject(notInRecord(tape, request))
      awaitEntry(`piece ${n} ${k}`, { act, missing }, after)
    })
    if (came === -1) return
    if (typeof came !== 'number') throw thrown(came)
    yield body.subarray(at, at + came)
    at += came
  }
}

/** The next exchange of the record, or once its order is left, the one of the same request. */
function find(tape: Tape, request: Outgoing): Kept | undefined {
  const asked = comparable(blockOf(request))
  const { method } = request.options
  const { path } = request.shown
  if (!departureOf()) {
    tape.sent += 1
    const next = tape.kept.get(tape.sent)
    if (next?.request === asked) return next
    const then = next ? `${next.method} ${next.path}` : 'nothing'
    const isOther = then !== `${method} ${path}`
    depart(
      `request ${tape.sent} was ${then}${isOther ? `, and is ${method} ${path} now` : ', and has other headers or another body now'}`,
    )
  }
  return findByRequest({ request: asked, method, path }, tape.kept, tape, logNow()?.begun)
}
