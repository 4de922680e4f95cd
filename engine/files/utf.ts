import { TextDecoder } from 'node:util'

/** By the names of the Encoding Standard. */
export type TextEncoding = string

const marks: [TextEncoding, number[]][] = [
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

/** So many bytes tell UTF-16 by its zeros: delimiters and line breaks are ASCII in any file. */
const minBytes = 64

/**
 * Gives a text's bytes in UTF-8. How a file is encoded is not shown: its byte order mark tells it, or
 * the zeros of UTF-16 do, or else what was declared with it.
 */
export async function* asUtf8(
  chunks: AsyncIterable<Buffer>,
  onEncoding: (encoding: TextEncoding) => void,
  declared?: string,
): AsyncGenerator<Buffer> {
  let decoder: TextDecoder | undefined
  let doubt = decoderFor(declared)
  const decideOn = (encoding: TextEncoding | undefined) => {
    doubt = undefined
    decoder = decoderFor(encoding)
    if (decoder) onEncoding(decoder.encoding)
  }
  // The first bytes, and later what may be half a letter.
  let held: Buffer | undefined = Buffer.alloc(0)
  let isFirst = true

  function* given(bytes: Buffer, isLast = false) {
    if (isFirst) {
      isFirst = false
      const encoding = encodingIn(bytes)
      if (encoding) decideOn(encoding)
    }
    // Servers declare encodings that nobody chose: what is valid in UTF-8 is taken for it.
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
    if (isFirst && bytes.length < minBytes) held = bytes
    else held = yield* given(bytes)
  }
  if (held && held.length > 0) yield* given(held, true)
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

/** What the first bytes tell: their mark, or zeros in every other place. */
function encodingIn(bytes: Buffer): TextEncoding | undefined {
  const [marked] = marks.find(([, mark]) => bytes.subarray(0, 2).equals(Buffer.from(mark))) ?? []
  if (marked) return marked
  const first = bytes.subarray(0, minBytes)
  const zeros = [0, 0]
  for (const [at, byte] of first.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  const isSome = even + odd >= Math.max(2, first.length / 4)
  if (!isSome || (even > 0 && odd > 0)) return undefined
  return odd > 0 ? 'utf-16le' : 'utf-16be'
}

const isAscii = (bytes: Buffer) => bytes.every((byte) => byte < 0x80)

/** Whether bytes are UTF-8, as far as they go; a byte order mark of it is as good as a letter. */
function validityOf(bytes: Buffer): 'valid' | 'not valid' | 'cut' {
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
    const text = decoder.decode(bytes, { stream: true })
    return /[^\0-\x7f]/.test(text) ? 'valid' : 'cut'
  } catch {
    return 'not valid'
  }
}
