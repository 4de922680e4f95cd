import { TextDecoder } from 'node:util'

export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be'

const marks: [TextEncoding, number[]][] = [
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

/** Gives a text's bytes in UTF-8, where its byte order mark says that they are in UTF-16. */
export async function* asUtf8(
  chunks: AsyncIterable<Buffer>,
  tell: (encoding: TextEncoding) => void,
): AsyncGenerator<Buffer> {
  let decoder: TextDecoder | undefined
  // A mark may be divided between two chunks.
  let first: Buffer | undefined = Buffer.alloc(0)
  const decoded = (bytes: Buffer) =>
    decoder ? Buffer.from(decoder.decode(bytes, { stream: true })) : bytes

  for await (const chunk of chunks) {
    if (!first) {
      yield decoded(chunk)
      continue
    }
    first = Buffer.concat([first, chunk])
    if (first.length < 2) continue
    const [encoding] =
      marks.find(([, mark]) => first?.subarray(0, 2).equals(Buffer.from(mark))) ?? []
    if (encoding) {
      tell(encoding)
      decoder = new TextDecoder(encoding, { ignoreBOM: true })
    }
    yield decoded(first)
    first = undefined
  }
  if (first && first.length > 0) yield first
}
