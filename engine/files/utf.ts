import { isAscii, isUtf8 } from 'node:buffer'
import { TextDecoder } from 'node:util'

/** Names of the Encoding Standard, by byte order marks. */
const marks: Record<string, string> = { fffe: 'utf-16le', feff: 'utf-16be' }

/**
 * Yields a text as UTF-8. The contract does not specify the encoding: the byte order mark decides,
 * or else the declared encoding. Any but UTF-8 is noted in `reading`.
 */
export async function* asUtf8(
  chunks: AsyncIterable<Buffer>,
  reading: { encoding: string },
  declared?: string,
): AsyncGenerator<Buffer> {
  let decoder: TextDecoder | undefined
  // UTF-16 is recognised by its mark alone.
  let doubt = /^utf-16/i.test(declared ?? '') ? undefined : decoderFor(declared)
  const decideOn = (encoding: string | undefined) => {
    doubt = undefined
    decoder = decoderFor(encoding)
    if (decoder) reading.encoding = decoder.encoding
  }
  // The first bytes, and later a possible part of a letter.
  let held: Buffer | undefined = Buffer.alloc(0)
  let isFirst = true

  function* given(bytes: Buffer, isLast = false) {
    if (isFirst) {
      isFirst = false
      const marked = marks[bytes.toString('hex', 0, 2)]
      if (marked) decideOn(marked)
    }
    // Servers declare encodings by default: valid UTF-8 is read as UTF-8.
    if (doubt && !isAscii(bytes)) {
      const validity = validityOf(bytes)
      if (validity === 'cut' && !isLast) return bytes
      decideOn(validity === 'valid' ? undefined : doubt.encoding)
    }
    yield decoder ? Buffer.from(decoder.decode(bytes, { stream: !isLast })) : bytes
    return undefined
  }

  for await (const chunk of chunks) {
    const bytes: Buffer = held ? Buffer.concat([held, chunk]) : chunk
    if (isFirst && bytes.length < 2) held = bytes
    else held = yield* given(bytes)
  }
  if (held) yield* given(held, true)
}

function decoderFor(encoding: string | undefined): TextDecoder | undefined {
  if (encoding === undefined) return undefined
  try {
    const decoder = new TextDecoder(encoding, { ignoreBOM: true })
    return decoder.encoding === 'utf-8' ? undefined : decoder
  } catch {
    return undefined
  }
}

/** Whether bytes are UTF-8 as far as they go; a byte order mark counts as a letter. */
function validityOf(bytes: Buffer): 'valid' | 'not valid' | 'cut' {
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
    const text = decoder.decode(bytes, { stream: true })
    return /[^\0-\x7f]/.test(text) ? 'valid' : 'cut'
  } catch {
    return 'not valid'
  }
}

/**
 * Watches for letters of one byte among those of UTF-8: a file must have one encoding throughout.
 * Zeros belong to encodings with several bytes for each letter.
 */
export function createLetters() {
  const seen = { ofUtf8: false, others: false, zeros: false }
  let held: Buffer = Buffer.alloc(0)
  return {
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
    areMixed: () => seen.ofUtf8 && seen.others && !seen.zeros,
  }
}
