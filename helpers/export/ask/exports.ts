import { mayBeCsv } from '../../../engine/files/content.ts'
import { type CsvLimits, type CsvReading, readCsv } from '../../../engine/files/csv.ts'
import { describeFlaw } from '../../../engine/findings/malformed.ts'
import type { UnservedFinding } from '../../../engine/findings/unserved.ts'
import { describeAnswer, isAccepted, isRefused } from '../../../engine/http/answers.ts'
import type { Downloaded, Sink } from '../../../engine/http/client.ts'
import { exchangesOf, from } from '../../../engine/origin.ts'
import { NotDecidable, Trouble, type Why } from '../../../engine/outcome.ts'
import type { Encoding } from '../../contract/list-encodings.ts'
import { needPermitted } from '../../service/answers.ts'
import type { Service, Shared } from '../../service/service.ts'
import { createTitles, isDescribed, problemsOfCsv, problemsOfTitles } from './breaches.ts'
import { notGiven, open, unreadable, whyNoCsv, whyNoFile } from './decidable.ts'
import { fetchDelivered } from './file-place.ts'
import { fetchPdf, type PdfExport, type PdfFile, readBeginning } from './pdf-export.ts'
import { type Query, queryText, recentHour } from './query.ts'

/** What was read of a CSV, and by which exchanges it came. */
type CsvFile = CsvReading & { exchanges: readonly number[] }

export type CsvExport = {
  answer: Downloaded
  query: string
  exchanges: readonly number[]
  csv?: CsvFile
  text?: string
  told?: string
  lost?: UnservedFinding
  why?: Why
}

/** The exports of a run: each is fetched once and shared by all clauses. */
export type Exports = {
  csv(query: Query, options?: Fetching): Promise<CsvExport>
  pdf(query: Query): Promise<PdfExport>
  csvFile(query: Query, options?: Fetching): Promise<CsvFile>
  pdfFile(query: Query): Promise<PdfFile>
  /** for an answer that is small in any case, such as a rejection */
  refusal(query: Query): Promise<CsvExport>
  times(): number[]
  text(query: Query): string
  once<T>(name: string, find: (exports: Exports) => Promise<T>): Promise<T>
  fresh: Exports
}

export type Fetching = {
  encoding?: Encoding
  read?: number
  /** records to keep at most, if counting is enough */
  keep?: number
  each?: CsvLimits['each']
}

/** The most records to keep of an export; windows hold fewer. */
const maxKept = 20_000

/** `isSettled`: the encoding of several values is known */
export function createExports(
  service: Service,
  shared: Shared,
  encoding: Encoding,
  isSettled = false,
): Exports {
  const textOf = (query: Query, options: Fetching = {}) =>
    queryText({ fileType: 'csv', ...query }, options.encoding ?? encoding)
  const isKnown = (query: Query, options: Fetching = {}) =>
    isDescribed(query, isSettled && (options.encoding ?? encoding) === encoding)

  const fetch = async (
    at: Service,
    among: Shared,
    query: Query,
    options: Fetching = {},
  ): Promise<CsvExport> => {
    const text = textOf(query, options)
    const { read, keep = maxKept, each } = options
    let titles = createTitles()
    const sink: Sink<{ csv?: CsvReading; text?: string }> = async (body, head) => {
      if (!isAccepted(head)) return { text: await readBeginning(body) }
      // A file that broke off comes once more from its beginning.
      titles = createTitles()
      const heard: CsvLimits['each'] = (record) => {
        titles.hear(record)
        each?.(record)
      }
      const limits = { keep, read, known: at.knownFiles, charset: charsetIn(head.headers) }
      return { csv: await readCsv(body, { ...limits, each: heard }) }
    }
    const delivered = await fetchDelivered(at, text, sink, ({ csv }) => csv?.beginning ?? '')
    const { answer, told, lost, result } = delivered
    const exchanges = exchangesOf(delivered.answers)
    const csv = result?.csv && { ...result.csv, exchanges }
    if (csv) from(csv.records, exchanges)
    const found: CsvExport = {
      answer,
      query: text,
      exchanges,
      told,
      lost,
      ...(csv ? { csv } : {}),
      ...(result?.text === undefined ? {} : { text: result.text }),
    }
    const breaches = isKnown(query, options) ? problemsOfCsv(query, delivered) : []
    // Without file_type either the default is wrong, or every CSV.
    if (query.fileType === null && breaches[0]?.owner === 'export.csv.readable')
      breaches[0].owner = await contentOwnerByDefault(among, query)
    breaches.push(...problemsOfTitles(titles.seen, at.knownFiles.titles, query, found))
    for (const breach of breaches) delivered.met(breach)
    const { unread } = found.csv?.dialect ?? {}
    if (found.csv && unread) return { ...found, why: unreadable(answer, unread) }
    if (found.csv && mayBeCsv(found.csv.beginning)) return found
    const isRefusedToo = async () => {
      const control = recentHour(service)
      return textOf(control) === text || !isAccepted((await firstOf(among, control)).answer)
    }
    const why =
      whyNoFile(delivered, breaches[0]) ??
      (await whyNoCsv(delivered, isRefusedToo, isOfWholeRange(query)))
    return { ...found, why }
  }

  const firstOf = (among: Shared, query: Query) =>
    among(`csv 20  ${textOf(query)}`, (inner, its) => fetch(inner, its, query, { read: 20 }))

  const contentOwnerByDefault = async (among: Shared, query: Query) => {
    const { csv } = await firstOf(among, { ...query, fileType: 'csv' })
    return csv && mayBeCsv(csv.beginning) ? 'export.default-csv' : 'export.csv.readable'
  }

  const ofPdf = (query: Query) => ({ ...query, fileType: 'pdf' })
  const pdfOn = (at: Service, query: Query) =>
    fetchPdf(at, textOf(ofPdf(query)), isKnown(ofPdf(query)))

  const portOf = (own: Pick<Exports, 'csv' | 'pdf' | 'once'>): Exports => ({
    ...own,
    csvFile: async (query, options) => needCsv(await own.csv(query, options)),
    pdfFile: async (query) => needPdf(await own.pdf(query), { text: true }),
    refusal: (query) => own.csv(query, { read: 20 }),
    times: service.times,
    text: (query) => textOf(query),
    get fresh() {
      return fresh
    },
  })
  const fresh = portOf({
    csv: (query, options) => fetch(service, shared, query, options),
    pdf: (query) => pdfOn(service, query),
    once: (_, find) => find(fresh),
  })
  return portOf({
    csv: (query, options) => {
      const text = textOf(query, options)
      const name = `csv ${options?.read ?? 'whole'} ${options?.keep ?? ''} ${text}`
      return shared(name, async (at, among) => {
        const readings = await among('files read', async () => new Map<string, Reading>())
        const former = readings.get(text)
        const found = readOnce(former, options, among, () => fetch(at, among, query, options))
        readings.set(text, { name, found })
        return found
      })
    },
    pdf: (query) => shared(`pdf ${textOf(ofPdf(query))}`, (at) => pdfOn(at, query)),
    once: (name, find) =>
      shared(name, (at, inner) => find(createExports(at, inner, encoding, isSettled))),
  })
}

type Reading = { name: string; found: Promise<CsvExport> }

/** A complete reading with all records kept serves every other request for the file. */
async function readOnce(
  former: Reading | undefined,
  { read = Number.POSITIVE_INFINITY }: Fetching = {},
  among: Shared,
  fetch: () => Promise<CsvExport>,
): Promise<CsvExport> {
  const { csv } = (await former?.found.catch(() => undefined)) ?? {}
  const isWhole = csv && !csv.cut && csv.records.length === csv.count && csv.count < read
  return former && isWhole ? among(former.name, () => former.found) : fetch()
}

/** Rejections and failures are not judged here. */
export function needCsv({ answer, csv, why }: CsvExport): CsvFile {
  needServed(answer)
  if (why || !csv) throw new NotDecidable(...(why ?? notGiven(answer)))
  return csv
}

/** Whether the service rejects the request itself, as far as a key may export at all. */
export const isRejected = ({ answer }: Pick<CsvExport, 'answer'>): boolean =>
  isRefused(answer) && answer.status !== 403 && answer.status !== 429

export const isUsable = ({ csv, why }: CsvExport): boolean => csv !== undefined && !why

/** The contract does not describe permissions, and trouble proves nothing. */
export function needServed(answer: Downloaded): void {
  needPermitted(answer)
  if (answer.status >= 500)
    throw new Trouble(`${describeAnswer(answer)}; this clause needs its result`)
}

export function needReachable({ why }: CsvExport | PdfExport): void {
  if (why?.[0] === 'freedom') throw new NotDecidable(...why)
}

/** Whether a range alone selects the events of an export. */
const isOfWholeRange = ({ start, end, filters = {}, metadata = {}, more }: Query): boolean =>
  (start !== undefined || end !== undefined) &&
  Object.keys({ ...filters, ...metadata }).length === 0 &&
  more === undefined

const charsetIn = ({ 'content-type': type = '' }: Downloaded['headers']): string | undefined =>
  /;\s*charset\s*=\s*["']?([^\s;"']+)/i.exec(type)?.[1]

/** export.pdf.readable judges whether it must open */
export async function needPdf(found: PdfExport, want: { text: boolean }): Promise<PdfFile> {
  const { answer, isDescribed } = found
  needServed(answer)
  const reading = await found.read(want)
  const [flaw] = reading.flaws
  if (flaw === undefined) return reading
  const sentence = `${describeAnswer(answer)}: ${describeFlaw(flaw)}`
  const owned: Why = ['clause', sentence, 'export.pdf.readable']
  throw new NotDecidable(...(isDescribed ? owned : open(sentence)))
}

export function needExport(found: CsvExport | PdfExport): void {
  needServed(found.answer)
  const { answer, why = isAccepted(answer) ? undefined : notGiven(answer) } = found
  if (why) throw new NotDecidable(...why)
}
