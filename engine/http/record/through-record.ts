import type { Readable } from 'node:stream'
import { NotDecidable } from '../../outcome.ts'
import { awaitEntry, enter, entered, entering, laterThan, recalled } from '../../time/entering.ts'
import { clock } from '../../time/timers.ts'
import { codeOf } from '../failure.ts'
import type { Outgoing } from '../outgoing.ts'
import { digestOf } from '../recording.ts'
import type { Carried, Transport } from '../transport.ts'
import { mostKept, viewsOf } from './body-views.ts'
import { answerIn, type Tape, tapeNow } from './tape.ts'
import { type Fields, httpBlock, revisitOf } from './warc.ts'

export function throughRecord(way: Transport, request: Outgoing): Transport {
  const tape = tapeNow()
  if (!tape) return way
  return tape.mode === 'record' ? recording(tape, way, request) : replaying(tape, request)
}

const blockOf = ({ options: { method }, shown }: Outgoing): Buffer => {
  const { path, base, headers, body = '' } = shown
  return httpBlock(`${method} ${path} HTTP/1.1`, { ...headers, base }, Buffer.from(body))
}

function bodyOf(pieces: AsyncGenerator<Buffer>, destroy = () => {}): Readable {
  const body = {
    readableLength: 0,
    on: () => body,
    destroy,
    [Symbol.asyncIterator]: () => pieces,
  }
  return body as unknown as Readable
}

const recording = (tape: Tape, way: Transport, request: Outgoing): Transport => ({
  async send(options, signal, started) {
    tape.sent += 1
    const n = tape.sent
    const uri = request.redact(`${options.origin}${options.path}`)
    const fields = { 'WARC-Target-URI': uri, Exchange: String(n) }
    tape.warc.append({ ...typeOf('request'), ...fields }, [blockOf(request)], clock.iso())
    const send = async () => {
      try {
        const carried = await way.send(options, signal, () => enter(`begun ${n}`, started))
        // Until it is read, its error must not go uncaught.
        carried.body.on('error', () => {})
        return carried
      } catch (error) {
        // The code may be that of a cause, which an entry does not have.
        throw Object.assign(error as Error, { code: codeOf(error) })
      }
    }
    const carried = await entered('head', send, { key: `head ${n}`, given: () => undefined })
    const came: Buffer[] = []
    const most = Math.min(mostKept, tape.room)
    let [size, isKept] = [0, false]
    const keep = () => {
      if (!isKept) keepAnswer(tape, fields, carried, size > most ? undefined : came)
      isKept = true
    }
    async function* pieces() {
      try {
        for await (const piece of entering<Buffer>(carried.body, `piece ${n}`, true)) {
          size += piece.length
          if (size <= most) came.push(piece)
          yield piece
        }
      } finally {
        keep()
      }
    }
    const destroy = () => {
      carried.body.destroy()
      keep()
    }
    return { ...carried, body: bodyOf(pieces(), destroy) }
  },
  close: () => way.close(),
})

const typeOf = (type: string): Fields => ({
  'WARC-Type': type,
  'Content-Type': `application/http;msgtype=${type}`,
})

function keepAnswer(tape: Tape, fields: Fields, { statusCode, headers }: Carried, came?: Buffer[]) {
  const first = `HTTP/1.1 ${statusCode} `
  const head = httpBlock(first, headers)
  const digest = `sha256:${digestOf(came ?? []).digest('hex')}`
  const before = tape.payloads.get(digest)
  const pieces = (!before && came) || []
  const body = Buffer.concat(pieces)
  const isSecret = [head, ...(before ? [] : viewsOf(headers, body))].some(tape.holdsSecret)
  const response = { ...typeOf('response'), ...fields }
  if (isSecret || !came) {
    const why = isSecret ? 'it contained a secret' : 'it is too large'
    tape.warc.append({ ...response, 'Left-Out': why }, [httpBlock(first, {})], clock.iso())
    return
  }
  const own = { ...response, 'WARC-Payload-Digest': digest, ...(before && revisitOf(before)) }
  const id = tape.warc.append(own, [head, ...pieces], clock.iso())
  tape.room -= body.length
  if (body.length > 0) tape.payloads.set(digest, id)
}

const replaying = (tape: Tape, request: Outgoing): Transport => ({
  async send(_options, _signal, started) {
    const missing = (why = '') => {
      tape.missing += 1
      const { options, shown } = request
      const what = `${options.method} ${shown.path} is not in this record`
      return new NotDecidable('data', why ? `${what}: ${why}` : what, 'response')
    }
    const found = answerIn(tape, blockOf(request))
    if (!found) throw missing()
    const { n, head, body = Buffer.alloc(0), leftOut } = found
    const later = laterThan(`begun ${n}`) ?? laterThan(`head ${n}`) ?? 0
    awaitEntry(`begun ${n}`, { act: started }, later)
    await recalled(`head ${n}`, missing, later)
    if (leftOut || !head) throw missing(leftOut)
    async function* pieces() {
      for (let [k, at] = [1, 0]; ; k += 1) {
        const size = Number(await recalled(`piece ${n} ${k}`, missing, later))
        if (size === -1) return
        yield body.subarray(at, at + size)
        at += size
      }
    }
    return { ...head, body: bodyOf(pieces()) }
  },
  close: async () => {},
})
