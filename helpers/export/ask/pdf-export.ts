import type { Readable } from 'node:stream'
import { type PdfReading, readPdf } from '../../../engine/files/pdf.ts'
import { describeFlaw, type Flaw, malformedFinding } from '../../../engine/findings/malformed.ts'
import { isAccepted } from '../../../engine/http/answers.ts'
import type { Downloaded, Sink } from '../../../engine/http/client.ts'
import { exchangesOf, type Origin } from '../../../engine/origin.ts'
import { NotDecidable, Trouble } from '../../../engine/outcome.ts'
import { type Problem, problem } from '../../../engine/problem.ts'
import { sentenceOf } from '../../findings/kinds.ts'
import { type Owned, problemOwnedBy } from '../../service/judge.ts'
import type { Service } from '../../service/service.ts'
import { problemsOfDelivery, statusOwner } from './breaches.ts'
import { notGiven, open, whyNoFile } from './decidable.ts'
import { type Delivered, fetchDelivered } from './file-place.ts'

/** What was read of a PDF, and by which exchanges it came. */
export type PdfFile = PdfReading & { exchanges: readonly number[] }

export type PdfExport = Awaited<ReturnType<typeof fetchPdf>>

const megabyte = 1024 * 1024
/** MAX_EXPORT_MB limits streams. A PDF is held in memory, and its library copies it. */
const maxHeldBytes = 64 * megabyte
const maxReadMs = 60_000

type Held = { bytes?: Buffer; text?: string }

/** The file is held whole, because PDFs are read from the end. */
export async function fetchPdf(service: Service, query: string, isDescribed: boolean) {
  const sink: Sink<Held> = async (body, head) => {
    if (!isAccepted(head)) return { text: await readBeginning(body) }
    const bytes = await readUpTo(maxHeldBytes, body)
    if (bytes.length < maxHeldBytes) return { bytes }
    throw new Trouble(`the PDF is larger than ${maxHeldBytes / megabyte} MB`)
  }
  const beginning = ({ bytes }: Held) => bytes?.toString('utf8', 0, 8192) ?? ''
  const delivered = await fetchDelivered(service, query, sink, beginning)
  const { answer, told, lost, result } = delivered
  const { bytes } = result ?? {}
  const exchanges = exchangesOf(delivered.answers)
  const [breach] = isDescribed ? problemsOfPdf(delivered) : []
  if (breach) delivered.met(breach)
  const handed = new Set<string>()
  const isEmpty = bytes?.length === 0
  // The status of a PDF does not keep it from being read.
  const barred = lost !== undefined || isEmpty ? breach : undefined
  const why =
    whyNoFile(delivered, barred) ?? (isEmpty ? open(sentenceOf(withoutByte(answer))) : undefined)
  const reading = async (text: boolean) => {
    if (why || !bytes) throw new NotDecidable(...(why ?? notGiven(answer)))
    const read = await readPdf(bytes, { text, timeoutMs: maxReadMs })
    for (const flaw of isDescribed && bytes.length > 0 ? read.flaws : [])
      if (!handed.has(describeFlaw(flaw))) {
        handed.add(describeFlaw(flaw))
        delivered.met({
          owner: 'export.pdf.readable',
          ...problemOfFlaw(answer, flaw, delivered.answers),
        })
      }
    return { ...read, exchanges }
  }
  let plain: Promise<PdfFile> | undefined
  let whole: Promise<PdfFile> | undefined
  const read = ({ text }: { text: boolean }): Promise<PdfFile> => {
    if (text) whole ??= reading(true)
    // Reading the text may exceed a limit that counting the pages does not exceed.
    else plain ??= whole?.catch(() => reading(false)) ?? reading(false)
    return (text ? whole : plain) as Promise<PdfFile>
  }
  return { answer, query, exchanges, told, lost, isDescribed, ...result, why, read }
}

export const problemOfFlaw = (answer: Downloaded, flaw: Flaw, judged: Origin): Problem =>
  problem(malformedFinding(flaw, { of: answer }), { judged })

/** Even without events a PDF has a page. */
function problemsOfPdf(delivered: Delivered<Held>): Owned[] {
  const query = { fileType: 'pdf' }
  const wrong = problemsOfDelivery(query, delivered)
  const { answer, answers: judged, result } = delivered
  if (wrong.length > 0 || result?.bytes?.length !== 0) return wrong
  return [problemOwnedBy(statusOwner(query), withoutByte(answer), { judged })]
}

const withoutByte = (of: Downloaded) => malformedFinding({ is: 'empty' }, { of })

export const readBeginning = async (body: Readable): Promise<string> =>
  (await readUpTo(65_536, body)).toString('utf8')

async function readUpTo(maxBytes: number, body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= maxBytes) break
  }
  return Buffer.concat(chunks).subarray(0, maxBytes)
}
