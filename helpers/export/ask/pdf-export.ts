import type { Readable } from 'node:stream'
import { type PdfReading, readPdf } from '../../../engine/files/pdf.ts'
import type { Downloaded } from '../../../engine/http/client.ts'
import { NotDecidable, Trouble } from '../../../engine/outcome.ts'
import type { Service } from '../../service/service.ts'

/** What came of one export that was asked for as PDF. */
export type PdfExport = {
  answer: Downloaded
  query: string
  /** of an answer with status 200: the file, held whole, for PDFs are read from their end */
  bytes?: Buffer
  /** the beginning of the body of any other answer */
  text?: string
  /** reads the file: its pages, and their text where it is wanted; each once for all who ask */
  read(want: { text: boolean }): Promise<PdfReading>
}

const megabyte = 1024 * 1024
/** MAX_EXPORT_MB bounds what is streamed; this is held, and read by a library that copies it. */
const maxHeldBytes = 64 * megabyte
const maxReadMs = 60_000

/** Downloads an export as PDF, whatever the answer is. */
export async function fetchPdf(service: Service, query: string): Promise<PdfExport> {
  const { answer, result } = await service.download(query, async (body, head) => {
    if (head.status === 200) return { bytes: await readBody(body, maxHeldBytes) }
    return { text: (await readBody(body, 65_536, 'enough')).toString('utf8') }
  })
  const { bytes } = result
  const reading = (text: boolean) => {
    if (!bytes) throw new NotDecidable(`there is no PDF: the answer was ${answer.status}`)
    return readPdf(bytes, { text, timeoutMs: maxReadMs })
  }
  let plain: Promise<PdfReading> | undefined
  let whole: Promise<PdfReading> | undefined
  return {
    answer,
    query,
    ...result,
    read: async ({ text }) => {
      if (text) whole ??= reading(true)
      // Whoever wants the text may have met a limit that the number of pages does not.
      else plain ??= whole?.catch(() => reading(false)) ?? reading(false)
      return (text ? whole : plain) as Promise<PdfReading>
    },
  }
}

async function readBody(body: Readable, maxBytes: number, enough?: 'enough'): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    if (size < maxBytes) continue
    if (enough) break
    throw new Trouble(`the PDF is larger than ${maxBytes / megabyte} MB`)
  }
  return Buffer.concat(chunks).subarray(0, maxBytes)
}
