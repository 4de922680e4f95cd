import { pipeline, Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib'
import { Trouble } from '../outcome.ts'

const chunkSize = 64 * 1024

const decoders: Record<string, (first: Buffer) => Transform> = {
  gzip: () => createGunzip({ chunkSize }),
  'x-gzip': () => createGunzip({ chunkSize }),
  br: () => createBrotliDecompress({ chunkSize }),
  // the name says zlib, some services send it raw: zlib's first byte names method 8
  deflate: (first) =>
    ((first[0] as number) & 0x0f) === 8
      ? createInflate({ chunkSize })
      : createInflateRaw({ chunkSize }),
}

/** More is no service's need, and each coding multiplies what a small body can grow to. */
const mostCodings = 4

/** Undoes the codings of a body under a limit for what comes out; `see` is shown every piece. */
export function decode(
  body: Readable,
  encoding: string | undefined,
  limit: number,
  see: (chunk: Buffer) => void = () => {},
): Readable {
  const codings = (encoding ?? '')
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity')
  return Readable.from(measured(decoded(body, codings), limit, codings.length > 0, see), {
    objectMode: false,
  })
}

/** Bytes as megabytes for a sentence. */
export function megabytes(bytes: number): string {
  return `${Math.round((bytes / 1048576) * 10) / 10} MB`
}

async function* measured(
  source: AsyncIterable<Buffer>,
  limit: number,
  coded: boolean,
  see: (chunk: Buffer) => void,
) {
  let size = 0
  for await (const chunk of source) {
    size += chunk.length
    if (size > limit)
      throw new Trouble(
        `the answer ${coded ? 'inflates beyond' : 'is larger than'} ${megabytes(limit)}`,
      )
    see(chunk)
    yield chunk
  }
}

function decoded(body: Readable, codings: string[]): AsyncIterable<Buffer> {
  if (codings.length > mostCodings) return failing(`the answer is coded ${codings.length} times`)
  // what was applied last is undone first
  return codings.reduceRight<AsyncIterable<Buffer>>(
    (source, coding) => undone(source, coding),
    body,
  )
}

async function* undone(source: AsyncIterable<Buffer>, coding: string) {
  const decoder = decoders[coding]
  if (!decoder) throw new Trouble(`the answer is coded as "${coding}", which was not asked for`)
  const chunks = source[Symbol.asyncIterator]()
  const first = await chunks.next()
  // nothing at all is an empty body, whatever its coding is said to be
  if (first.done) return
  const transform = decoder(first.value)
  pipeline(startingWith(first.value, chunks), transform, () => {})
  try {
    yield* transform as AsyncIterable<Buffer>
  } catch (error) {
    // trouble of the source is passed on as it is
    throw error instanceof Trouble ? error : new Trouble(`the answer is not valid ${coding}`)
  }
}

async function* startingWith(first: Buffer, rest: AsyncIterator<Buffer>) {
  yield first
  yield* { [Symbol.asyncIterator]: () => rest }
}

// biome-ignore lint/correctness/useYield: a body that fails at its first reading
async function* failing(message: string): AsyncGenerator<Buffer> {
  throw new Trouble(message)
}
