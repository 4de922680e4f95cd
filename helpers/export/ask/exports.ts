import { contentOf, mayBeCsv } from '../../../engine/files/content.ts'
import { type CsvLimits, type CsvReading, readCsv } from '../../../engine/files/csv.ts'
import type { PdfReading } from '../../../engine/files/pdf.ts'
import { describeAnswer } from '../../../engine/http/answers.ts'
import type { Downloaded } from '../../../engine/http/client.ts'
import { NotDecidable, Trouble } from '../../../engine/outcome.ts'
import type { Service, Shared } from '../../service/service.ts'
import { fetchPdf, type PdfExport } from './pdf-export.ts'
import { type Encoding, type Query, queryText } from './query.ts'

/** What came of one export that was asked for as CSV. */
export type CsvExport = {
  answer: Downloaded
  query: string
  /** of an answer with status 200 */
  csv?: CsvReading
  /** the beginning of the body of any other answer */
  text?: string
}

/** Exports of a run: the same one is fetched once and shared by every clause that asks for it. */
export type Exports = {
  /** fetches as CSV, whatever the answer is */
  csv(query: Query, options?: Fetching): Promise<CsvExport>
  /** as csv, but never shared: for asking the same again */
  csvAnew(query: Query, options?: Fetching & { each?: CsvLimits['each'] }): Promise<CsvExport>
  /** fetches as PDF, whatever the answer is; read only as far as somebody asks */
  pdf(query: Query): Promise<PdfExport>
  /** as pdf, but never shared */
  pdfAnew(query: Query): Promise<PdfExport>
  /** asks for an answer that is small in any case, such as a refusal */
  refusal(query: Query): Promise<CsvExport>
  /** the query string that would be sent */
  text(query: Query): string
  /** finds something out once a run by exports, whose evidence every clause that asks gets too */
  once<T>(name: string, find: (exports: Exports) => Promise<T>): Promise<T>
}

export type Fetching = {
  /** how values of a parameter are written; left out: as was declared or found out */
  encoding?: Encoding
  /** records to read at most: the rest is hung up on */
  read?: number
  /** records to keep at most, where counting them is enough */
  keep?: number
}

/** Records that are kept of an export: windows are chosen to hold fewer. */
const maxKept = 20_000

/** Creates the exports of a clause, on what the clauses of its run share. */
export function createExports(service: Service, shared: Shared, encoding: Encoding): Exports {
  const textOf = (query: Query, options: Fetching = {}) =>
    queryText({ fileType: 'csv', ...query }, options.encoding ?? encoding)

  const fetch = async (
    at: Service,
    text: string,
    { read, keep = maxKept, each }: Fetching & { each?: CsvLimits['each'] } = {},
  ): Promise<CsvExport> => {
    const { answer, result } = await at.download(text, async (body, head) =>
      head.status === 200
        ? { csv: await readCsv(body, { keep, read, each, charset: charsetIn(head.headers) }) }
        : { text: await readBeginning(body) },
    )
    return { answer, query: text, ...result }
  }

  return {
    csv: (query, options) => {
      const text = textOf(query, options)
      const extent = `${options?.read ?? 'whole'} ${options?.keep ?? ''}`
      return shared(`csv ${extent} ${text}`, (at) => fetch(at, text, options))
    },
    csvAnew: (query, options) => fetch(service, textOf(query, options), options),
    pdf: (query) => {
      const text = textOf({ ...query, fileType: 'pdf' })
      return shared(`pdf ${text}`, (at) => fetchPdf(at, text))
    },
    pdfAnew: (query) => fetchPdf(service, textOf({ ...query, fileType: 'pdf' })),
    refusal: (query) => {
      const text = textOf(query)
      return shared(`refusal ${text}`, (at) => fetch(at, text, { read: 20 }))
    },
    text: (query) => textOf(query),
    once: (name, find) => shared(name, (at, inner) => find(createExports(at, inner, encoding))),
  }
}

/** Goes on only with a CSV; what the service may refuse, or fails at, is not held against a clause. */
export function needCsv({ answer, csv, text }: CsvExport): CsvReading {
  if (csv && answer.status === 200) {
    if (mayBeCsv(csv.beginning)) return csv
    const content = contentOf(csv.beginning)
    throw new NotDecidable(
      `${describeAnswer(answer)} with ${content}, no CSV: see export.csv.readable`,
    )
  }
  if (answer.status === 403)
    throw new NotDecidable(`${describeAnswer(answer)}: the key may not export`)
  if (answer.status >= 500)
    throw new Trouble(`${describeAnswer(answer)}, and this clause stands on it`)
  throw new NotDecidable(
    `${describeAnswer(answer)} (${text?.slice(0, 80)}), and this clause stands on it`,
  )
}

/** The encoding that a content type declares. */
const charsetIn = ({ 'content-type': type = '' }: Downloaded['headers']): string | undefined =>
  /;\s*charset\s*=\s*["']?([^\s;"']+)/i.exec(type)?.[1]

/** Goes on only with a PDF that opens; whether it had to is the matter of export.pdf.readable. */
export async function needPdf(found: PdfExport, want: { text: boolean }): Promise<PdfReading> {
  if (!found.bytes) needCsv(found)
  const reading = await found.read(want)
  if (reading.flaws.length === 0) return reading
  throw new NotDecidable(
    `${describeAnswer(found.answer)}: ${reading.flaws[0]} (see export.pdf.readable)`,
  )
}

async function readBeginning(body: AsyncIterable<Buffer>, maxBytes = 65_536): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= maxBytes) break
  }
  return Buffer.concat(chunks).toString('utf8').slice(0, maxBytes)
}
