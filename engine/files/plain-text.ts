// The text of a CSV as its parser understands it: without escapes, which may show only far into a file.

import { StringDecoder } from 'node:string_decoder'
import { type Dialect, escapesIn, recordStartIn } from './dialect.ts'
import { createUnescaping, type Escapes, marked } from './escapes.ts'

/** Enough text to tell escapes by. */
const minBytes = 65_536
/** Who writes the path of a file in every record needs no more looks than that. */
const maxLooks = 8

/**
 * The text as the parser understands it, with what it passes over told as a flaw; `seenBefore`: backslashes,
 * which were taken for a text.
 */
export async function* plainly(
  chunks: AsyncGenerator<Buffer>,
  seenBefore: boolean,
  dialect: Dialect,
  flaw: (sentence: string) => void,
): AsyncGenerator<Buffer> {
  const lineFeeds =
    dialect.lineEnding === '\r\n' && !dialect.quote
      ? createLineFeedWatch(dialect.delimiter, flaw)
      : undefined
  for await (const plain of unescaped(chunks, seenBefore, dialect)) {
    lineFeeds?.(plain)
    yield plain
  }
}

/** Takes escapes out, from the beginning or from where they show first. */
async function* unescaped(
  chunks: AsyncGenerator<Buffer>,
  seenBefore: boolean,
  dialect: Dialect,
): AsyncGenerator<Buffer> {
  let start = ''
  const decoder = new StringDecoder('utf8')
  if (!dialect.escapes) {
    const late = yield* untilEscapes(chunks, seenBefore, dialect.delimiter)
    if (!late) return yield* chunks
    const { held, wereSeen } = late
    dialect.escapes = late.escapes
    // The rest of a letter that began before is handed on as it is.
    const whole = held.findIndex((byte) => (byte & 0xc0) !== 0x80)
    yield held.subarray(0, whole)
    start = decoder.write(held.subarray(whole))
    if (wereSeen) start = marked(start)
  }
  const plainOf = createUnescaping(dialect)
  yield Buffer.from(plainOf(start))
  for await (const chunk of chunks) yield Buffer.from(plainOf(decoder.write(chunk)))
  yield Buffer.from(plainOf(decoder.end()) + plainOf(''))
}

/** What is found of escapes, and the bytes from which on they have to be taken out. */
type Late = { escapes: Escapes; held: Buffer; wereSeen: boolean }

/**
 * Hands chunks on until one has escapes, which it keeps: up to there a file reads alike with them and
 * without, but for what was taken for a text: `wereSeen`.
 */
async function* untilEscapes(
  chunks: AsyncIterator<Buffer>,
  seenBefore: boolean,
  delimiter: string,
): AsyncGenerator<Buffer, Late | undefined> {
  let wereSeen = seenBefore
  let before: Buffer = Buffer.alloc(0)
  for (let looks = 0; looks < maxLooks; ) {
    const { done, value } = await chunks.next()
    if (done) return undefined
    if (!value.includes('\\') && !value.includes('="')) {
      yield value
      before = value
      continue
    }
    const held = await withMore(value, chunks)
    looks += 1
    const text = Buffer.concat([before.subarray(-minBytes), held]).toString('utf8')
    const escapes = escapesIn(text.slice(recordStartIn(text, delimiter)), delimiter)
    if (escapes) return { escapes, held, wereSeen }
    wereSeen = true
    yield held
    before = held
  }
  return undefined
}

async function withMore(first: Buffer, chunks: AsyncIterator<Buffer>): Promise<Buffer> {
  const held = [first]
  for (let size = first.length; size < minBytes; ) {
    const { done, value } = await chunks.next()
    if (done) break
    held.push(value)
    size += value.length
  }
  return Buffer.concat(held)
}

const backslash = 92

/**
 * Watches a text whose records end with CR LF for a line feed alone that stands in no quotes: most
 * readers end a record there. Only what is sure is told: a line with it has an even number of quotes
 * before it and as a whole. A file that is cut may show too little of what its writer puts before a
 * line feed: a backslash, or a single quote that begins a cell.
 */
function createLineFeedWatch(
  delimiter: string,
  flaw: (sentence: string) => void,
): (chunk: Buffer) => void {
  let before = 0
  const singleQuoted = [`${delimiter}'`, "\n'"]
  return (chunk) => {
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) {
      if (at === 0 || chunk[at - 1] === 13 || chunk[at - 1] === backslash) continue
      const begin = chunk.lastIndexOf('\r\n', at)
      const end = chunk.indexOf('\r\n', at)
      if (begin === -1 || end === -1) continue
      if (singleQuoted.some((sign) => chunk.subarray(begin, at).includes(sign))) continue
      if (quotesIn(chunk, begin, at) % 2 === 0 && quotesIn(chunk, begin, end) % 2 === 0)
        flaw(`byte ${before + at} is a line feed outside of quotes, where records end with CR LF`)
    }
    before += chunk.length
  }
}

function quotesIn(chunk: Buffer, begin: number, end: number): number {
  let count = 0
  for (let at = chunk.indexOf(34, begin); at >= 0 && at < end; at = chunk.indexOf(34, at + 1))
    count += 1
  return count
}
