import type { Readable } from 'node:stream'

/** Keeps the whole body. */
export async function collect(body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Reads the body for the record alone. */
export async function drain(body: Readable): Promise<undefined> {
  for await (const _ of body);
}
