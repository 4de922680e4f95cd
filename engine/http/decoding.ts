// undici's own decompression pauses the connection, and undici 7 fails with `assert(!this.paused)` if it
// ends.

import type { Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib'
import { NotDecidable, Trouble } from '../outcome.ts'
import { entered, entering, hold } from '../time/entering.ts'
import { megabyte } from './agent.ts'
import { type Failure, unusable } from './failure.ts'

const chunkSize = 64 * 1024

const decoders: Record<string, (first: Buffer) => Transform> = {
  gzip: () => createGunzip({ chunkSize }),
  'x-gzip': () => createGunzip({ chunkSize }),
  br: () => createBrotliDecompress({ chunkSize }),
  // "deflate" means zlib, but some services send it raw. The first byte of zlib names method 8.
  deflate: ([byte = 0]) =>
    (byte & 0x0f) === 8 ? createInflate({ chunkSize }) : createInflateRaw({ chunkSize }),
}

/** No service needs more, and each coding multiplies the size of a body. */
const mostCodings = 4

export async function* decode(
  body: AsyncIterable<Buffer>,
  encoding: string | undefined,
  limit: number,
  see: (chunk: Buffer) => void = () => {},
): AsyncGenerator<Buffer> {
  const codings = (encoding ?? '')
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity')
  if (codings.length > mostCodings)
    throw unusable(`the response is encoded ${codings.length} times`)
  let size = 0
  for await (const chunk of codings.reduceRight(undone, body)) {
    size += chunk.length
    if (size > limit) throw tooLarge(limit, codings.length > 0 ? 'inflates beyond' : undefined)
    see(chunk)
    yield chunk
  }
}

export const tooLarge = (bytes: number, how = 'is larger than'): Failure =>
  unusable(`the response ${how} ${Math.round((bytes / megabyte) * 10) / 10} MB`)

async function* undone(source: AsyncIterable<Buffer>, coding: string): AsyncGenerator<Buffer> {
  const decoder = decoders[coding]
  if (!decoder) throw unusable(`the response is encoded as "${coding}", which was not asked for`)
  const chunks = source[Symbol.asyncIterator]()
  const first = await chunks.next()
  // No byte at all is an empty body in any declared coding.
  if (first.done) return
  const transform = decoder(first.value)
  void feed(transform, startingWith(first.value, chunks))
  try {
    yield* entering(transform, 'decoded')
  } catch (error) {
    throw error instanceof Trouble || error instanceof NotDecidable
      ? error
      : unusable(`the response is not valid ${coding}`)
  }
}

/** Gives a decoder each piece once it has the one before; an error of the source ends it. */
async function feed(transform: Transform, source: AsyncIterable<Buffer>): Promise<void> {
  const closed = new Promise<void>((resolve) => transform.once('close', resolve))
  transform.on('error', () => {})
  const ended = (act: (done: () => void) => void) =>
    entered('fed', () => Promise.race([closed, new Promise<void>(act)]))
  try {
    for await (const piece of source) {
      if (transform.destroyed) return
      await ended((done) => transform.write(piece, done))
    }
    // A decoder of zlib finishes its input before it has given all of its output.
    void closed.then(hold())
    await ended((done) => transform.end(done))
  } catch (error) {
    transform.destroy(error as Error)
  }
}

async function* startingWith(first: Buffer, rest: AsyncIterator<Buffer>) {
  yield first
  yield* { [Symbol.asyncIterator]: () => rest }
}
