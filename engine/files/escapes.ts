// The text of a CSV as its parser needs it, and cells whose special characters are written with backslashes.

import { StringDecoder } from 'node:string_decoder'
import type { Flaw } from '../findings/malformed.ts'

/** Escaped signs become private-use letters until cells are split: no text contains those. */
const signs = '\\"\n\r\t'
const first = 0xe000
const delimiterStandIn = '\uE00F'
const anyStandIn = /[\uE000-\uE004\uE00F]/g
const letters: Record<string, string> = { n: '\n', r: '\r', t: '\t' }

/** an escape may span two chunks */
export function createUnescaping(delimiter: string): (piece: string) => string {
  let held = ''
  const standInFor = (sign: string): string => {
    if (sign === delimiter) return delimiterStandIn
    const at = signs.indexOf(letters[sign] ?? sign)
    return at === -1 || sign === '' ? `\\${sign}` : String.fromCharCode(first + at)
  }
  return (piece) => {
    const text = held + piece
    held = ''
    return text.replaceAll(/\\([\s\S]?)/g, (pair, sign: string) => {
      if (sign !== '' || piece === '') return standInFor(sign)
      held = pair
      return ''
    })
  }
}

export const unescapedCell = (cell: string, delimiter: string): string =>
  cell.replaceAll(anyStandIn, (sign) => signs[sign.charCodeAt(0) - first] ?? delimiter)

/** Decodes the text for the parser; what the parser would ignore becomes a flaw. */
export async function* plainly(
  chunks: AsyncIterable<Buffer>,
  dialect: { delimiter: string; lineEnding: string; hasBackslashes: boolean },
  addFlaw: (flaw: Flaw) => void,
): AsyncGenerator<Buffer> {
  const lineFeeds = dialect.lineEnding === '\r\n' ? createLineFeedWatch(addFlaw) : undefined
  const plain = dialect.hasBackslashes ? unescaped(chunks, dialect.delimiter) : chunks
  for await (const chunk of plain) {
    lineFeeds?.(chunk)
    yield chunk
  }
}

async function* unescaped(chunks: AsyncIterable<Buffer>, delimiter: string) {
  const decoder = new StringDecoder('utf8')
  const plainOf = createUnescaping(delimiter)
  for await (const chunk of chunks) yield Buffer.from(plainOf(decoder.write(chunk)))
  yield Buffer.from(plainOf(decoder.end()) + plainOf(''))
}

const backslash = 92

/**
 * In a text whose records end with CR LF, finds a bare line feed outside quotes: most readers end a record
 * there. Reports only what is sure: the line has an even number of quotes, before the line feed and as a
 * whole. A cut file may hide that its writer puts a backslash before a line feed.
 */
function createLineFeedWatch(addFlaw: (flaw: Flaw) => void): (chunk: Buffer) => void {
  let before = 0
  return (chunk) => {
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) {
      if (at === 0 || chunk[at - 1] === 13 || chunk[at - 1] === backslash) continue
      const begin = chunk.lastIndexOf('\r\n', at)
      const end = chunk.indexOf('\r\n', at)
      if (begin === -1 || end === -1) continue
      if (quotesIn(chunk, begin, at) % 2 === 0 && quotesIn(chunk, begin, end) % 2 === 0)
        addFlaw({ is: 'line feed', byte: before + at })
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
