// undici's own decompression pauses the connection, and undici 7 then fails with `assert(!this.paused)`
// where that ends; it also takes the coding out of the head, which reports show, and knows no raw deflate.
import { pipeline, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib'
import { Trouble } from '../outcome.ts'
import { type Failure, unusable } from './failure.ts'
import { megabyte } from './limits.ts'

const chunkSize = 64 * 1024

const decoders: Record<string, (first: Buffer) => Transform> = {
  gzip: () => createGunzip({ chunkSize }),
  'x-gzip': () => createGunzip({ chunkSize }),
  br: () => createBrotliDecompress({ chunkSize }),
  // the name says zlib, some services send it raw: zlib's first byte names method 8
  deflate: ([byte = 0]) =>
    (byte & 0x0f) === 8 ? createInflate({ chunkSize }) : createInflateRaw({ chunkSize }),
}

/** More is no service's need, and each coding multiplies what a small body can grow to. */
const mostCodings = 4

/** Undoes the codings of a body under a limit for what comes out; `see` is shown every piece. */
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
  if (codings.length > mostCodings) throw unusable(`the answer is coded ${codings.length} times`)
  let size = 0
  // what was applied last is undone first
  for await (const chunk of codings.reduceRight(undone, body)) {
    size += chunk.length
    if (size > limit) throw tooLarge(limit, codings.length > 0 ? 'inflates beyond' : undefined)
    see(chunk)
    yield chunk
  }
}

/** The failure of an answer that goes over the limit. */
export const tooLarge = (bytes: number, how = 'is larger than'): Failure =>
  unusable(`the answer ${how} ${Math.round((bytes / megabyte) * 10) / 10} MB`)

async function* undone(source: AsyncIterable<Buffer>, coding: string): AsyncGenerator<Buffer> {
  const decoder = decoders[coding]
  if (!decoder) throw unusable(`the answer is coded as "${coding}", which was not asked for`)
  const chunks = source[Symbol.asyncIterator]()
  const first = await chunks.next()
  // nothing at all is an empty body, whatever its coding is said to be
  if (first.done) return
  const transform = decoder(first.value)
  pipeline(startingWith(first.value, chunks), transform, () => {})
  try {
    yield* transform
  } catch (error) {
    // trouble of the source is passed on as it is
    throw error instanceof Trouble ? error : unusable(`the answer is not valid ${coding}`)
  }
}

async function* startingWith(first: Buffer, rest: AsyncIterator<Buffer>) {
  yield first
  yield* { [Symbol.asyncIterator]: () => rest }
}
