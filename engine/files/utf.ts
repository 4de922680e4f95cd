import { isAscii, isUtf8 } from 'node:buffer'
import { TextDecoder } from 'node:util'

/** Names of the Encoding Standard, by byte order marks. */
const marks: Record<string, string> = { fffe: 'utf-16le', feff: 'utf-16be' }

/** Yields a text as UTF-8. A byte order mark tells UTF-16, which is noted in `reading`. */
export async function* asUtf8(
  chunks: AsyncIterable<Buffer>,
  reading: { encoding: string },
): AsyncGenerator<Buffer> {
  let decoder: TextDecoder | undefined
  // The first bytes, until a mark may show.
  let held: Buffer | undefined = Buffer.alloc(0)
  for await (const chunk of chunks) {
    const bytes: Buffer = held ? Buffer.concat([held, chunk]) : chunk
    if (held && bytes.length < 2) {
      held = bytes
      continue
    }
    const encoding = held && marks[bytes.toString('hex', 0, 2)]
    held = undefined
    if (encoding) {
      reading.encoding = encoding
      decoder = new TextDecoder(encoding, { ignoreBOM: true })
    }
    yield decoder ? Buffer.from(decoder.decode(bytes, { stream: true })) : bytes
  }
  yield held ?? Buffer.from(decoder?.decode() ?? '')
}

/** Watches for letters of UTF-8, and for others. Zeros belong to encodings with several bytes for each letter. */
export function createLetters() {
  const seen = { ofUtf8: false, others: false, zeros: false }
  let held: Buffer = Buffer.alloc(0)
  return {
    seen,
    see(chunk: Buffer): void {
      if (seen.ofUtf8 && seen.others) return
      const bytes = held.length > 0 ? Buffer.concat([held, chunk]) : chunk
      // The last letter may be cut.
      const end = bytes.findLastIndex((byte) => byte < 0x80) + 1
      held = Buffer.from(bytes.subarray(end))
      const whole = bytes.subarray(0, end)
      if (isAscii(whole)) return
      if (!isUtf8(whole)) seen.others = true
      seen.zeros ||= whole.includes(0)
      seen.ofUtf8 ||= /[^\0-\x7f\ufffd]/.test(whole.toString('utf8'))
    },
  }
}
