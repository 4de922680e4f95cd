import { mayBeCsv } from '../../../engine/files/content.ts'
import { type CsvLimits, type CsvReading, readCsv } from '../../../engine/files/csv.ts'
import type { PdfReading } from '../../../engine/files/pdf.ts'
import { describeAnswer, isAccepted } from '../../../engine/http/answers.ts'
import type { Downloaded, Sink } from '../../../engine/http/client.ts'
import { from } from '../../../engine/origin.ts'
import { NotDecidable, Trouble, type Why } from '../../../engine/outcome.ts'
import type { Problem } from '../../../engine/problem.ts'
import { needPermitted } from '../../service/answers.ts'
import type { FactBook } from '../../service/export-facts.ts'
import type { Owned } from '../../service/judge.ts'
import type { Encoding } from '../../service/operations.ts'
import type { Service, Shared } from '../../service/service.ts'
import {
  createTitles,
  isDescribed,
  problemOfPlace,
  problemsOfContent,
  problemsOfLetters,
  problemsOfStatus,
  problemsOfTitles,
  statusOwner,
} from './breaches.ts'
import { type Delivered, fetchDelivered } from './file-place.ts'
import { fetchPdf, type PdfExport } from './pdf-export.ts'
import { type Query, queryText } from './query.ts'
import { recentHour } from './recent-hour.ts'
import { notGiven, open, unreadable, whyUnusable } from './unusable.ts'

/** What came of one export that was asked for as CSV. */
export type CsvExport = {
  answer: Downloaded
  query: string
  /** of an accepted answer, or from the address that it gives */
  csv?: CsvReading
  /** the beginning of the body of any other answer */
  text?: string
  /** how the answer names the address of its file, where it does */
  told?: string
  /** that there is no file at the address that it gives, as a sentence */
  lost?: string
  /** why no clause can go on with it */
  why?: Why
}

/** Exports of a run: the same one is fetched once and shared by every clause that asks for it. */
export type Exports = {
  /** fetches as CSV, whatever the answer is */
  csv(query: Query, options?: Fetching): Promise<CsvExport>
  /** fetches as PDF, whatever the answer is; read only as far as somebody asks */
  pdf(query: Query): Promise<PdfExport>
  /** the file itself; ends the clause where there is no usable one */
  csvFile(query: Query, options?: Fetching): Promise<CsvReading>
  /** the same, with the text of its pages */
  pdfFile(query: Query): Promise<PdfReading>
  /** asks for an answer that is small in any case, such as a refusal */
  refusal(query: Query): Promise<CsvExport>
  /** what is known of their files, and what a run finds out */
  facts: FactBook
  /** what the service's clock may show now, the earliest first */
  times(): number[]
  /** the query string that would be sent */
  text(query: Query): string
  /** finds something out once a run by exports, whose evidence every clause that asks gets too */
  once<T>(name: string, find: (exports: Exports) => Promise<T>): Promise<T>
  /** the same, but nothing is shared: each file is fetched anew */
  fresh: FreshExports
}

export type FreshExports = Omit<Exports, 'csv' | 'csvFile'> & {
  csv(query: Query, options?: EachFetching): Promise<CsvExport>
  csvFile(query: Query, options?: EachFetching): Promise<CsvReading>
}

type EachFetching = Fetching & { each?: CsvLimits['each'] }

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

/**
 * Creates the exports of a clause, on what the clauses of its run share; `isSettled` where it is known
 * how the values of array parameters are written.
 */
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
    options: EachFetching = {},
  ): Promise<CsvExport> => {
    const text = textOf(query, options)
    const { read, keep = maxKept, each } = options
    const titles = createTitles()
    const sink: Sink<Pick<CsvExport, 'csv' | 'text'>> = async (body, head) =>
      isAccepted(head)
        ? {
            csv: await readCsv(body, {
              keep,
              known: at.knownFiles,
              read,
              each: (record) => {
                titles.hear(record)
                each?.(record)
              },
              charset: charsetIn(head.headers),
            }),
          }
        : { text: await readBeginning(body) }
    const delivered = await fetchDelivered(at, text, sink, ({ csv }) => csv?.beginning ?? '')
    const { answer, told, lost, result } = delivered
    if (result?.csv) {
      from(result.csv, delivered.answers)
      from(result.csv.records, delivered.answers)
    }
    const found = from({ answer, query: text, told, lost, ...result }, delivered.answers)
    const breaches = isKnown(query, options) ? problemsOfCsvAnswer(query, delivered) : []
    // Without file_type it is another file than with it, or what every CSV is.
    if (query.fileType === null && breaches[0]?.owner === 'export.csv.readable')
      breaches[0].owner = await contentOwnerByDefault(among, query)
    breaches.push(...problemsOfTitles(titles.seen, at.knownFiles.titles, query, found))
    for (const breach of breaches) delivered.met(breach)
    const { unread } = found.csv?.dialect ?? {}
    if (found.csv && unread)
      return from({ ...found, why: unreadable(answer, unread) }, delivered.answers)
    if (found.csv && mayBeCsv(found.csv.beginning)) return found
    const isRefusedToo = async () => {
      const control = textOf(recentHour(service))
      if (control === text) return true
      const { answer } = await among(`csv 20  ${control}`, (inner, its) =>
        fetch(inner, its, recentHour(service), { read: 20 }),
      )
      return !isAccepted(answer)
    }
    const why = await whyUnusable(delivered, breaches, isRefusedToo)
    return from({ ...found, why }, delivered.answers)
  }

  const contentOwnerByDefault = async (among: Shared, query: Query) => {
    const named = { ...query, fileType: 'csv' }
    const { csv } = await among(`csv 20  ${textOf(named)}`, (inner, its) =>
      fetch(inner, its, named, { read: 20 }),
    )
    return csv && mayBeCsv(csv.beginning) ? 'export.default-csv' : 'export.csv.readable'
  }

  const fresh: FreshExports = {
    csv: (query, options) => fetch(service, shared, query, options),
    pdf: (query) => {
      const asked = { ...query, fileType: 'pdf' }
      return fetchPdf(service, textOf(asked), isKnown(asked))
    },
    ...filesOf(() => fresh),
    refusal: (query) => fetch(service, shared, query, { read: 20 }),
    facts: service.facts,
    times: service.times,
    text: (query) => textOf(query),
    once: (_, find) => find(fresh),
    get fresh() {
      return fresh
    },
  }
  const shares: Exports = {
    fresh,
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
    pdf: (query) => {
      const asked = { ...query, fileType: 'pdf' }
      return shared(`pdf ${textOf(asked)}`, (at) => fetchPdf(at, textOf(asked), isKnown(asked)))
    },
    ...filesOf(() => shares),
    refusal: (query) =>
      shared(`refusal ${textOf(query)}`, (at, inner) => fetch(at, inner, query, { read: 20 })),
    facts: service.facts,
    times: service.times,
    text: (query) => textOf(query),
    once: (name, find) =>
      shared(name, (at, inner) => find(createExports(at, inner, encoding, isSettled))),
  }
  return shares
}

/** The files of a port; where an export gives no file to go on with, the clause ends. */
export const filesOf = (
  port: () => Pick<FreshExports, 'csv' | 'pdf'>,
): Pick<FreshExports, 'csvFile' | 'pdfFile'> => ({
  csvFile: async (query, options) => needCsv(await port().csv(query, options)),
  pdfFile: async (query) => needPdf(await port().pdf(query), { text: true }),
})

/** The latest reading of a file, by the name that clauses share it by. */
type Reading = { name: string; found: Promise<CsvExport> }

/** What was read to its end, all of it kept, is what every other reading gives that stops no sooner. */
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

/** What an accepted answer breaks that holds, or names, a file. */
const problemsOfCsvAnswer = (
  query: Query,
  { answer, answers, result, lost }: Delivered<Pick<CsvExport, 'csv'>>,
): Owned[] => {
  const wrong = problemsOfStatus(query, answer)
  if (wrong.length > 0) return wrong
  if (lost) return [{ owner: statusOwner(query), ...problemOfPlace(lost, answers) }]
  if (!result?.csv) return []
  const { csv } = result
  return [...problemsOfContent(answer, csv, answers), ...problemsOfLetters(answer, csv, answers)]
}

/** Goes on only with a CSV; what the service may refuse, or fails at, is not held against a clause. */
export function needCsv({ answer, csv, why }: CsvExport): CsvReading {
  needServed(answer)
  if (why || !csv) throw new NotDecidable(...(why ?? notGiven(answer)))
  return csv
}

/** Whether a clause can go on with it. */
export const isUsable = ({ csv, why }: CsvExport): boolean => csv !== undefined && !why

/** A refusal by 403 is everybody's right, and an answer of trouble says nothing of the service. */
function needServed(answer: Downloaded): void {
  needPermitted(answer)
  if (answer.status >= 500)
    throw new Trouble(`${describeAnswer(answer)}; this clause needs its result`)
}

/** Goes on only with a file that can be reached from here. */
export function needReachable({ why }: CsvExport | PdfExport): void {
  if (why?.[0] === 'freedom') throw new NotDecidable(...why)
}

/** That there is no file at the address that an answer gives. */
export const problemsOfPlace = (found: CsvExport | PdfExport): Problem[] =>
  found.lost === undefined ? [] : [problemOfPlace(found.lost, found)]

/** The encoding that a content type declares. */
const charsetIn = ({ 'content-type': type = '' }: Downloaded['headers']): string | undefined =>
  /;\s*charset\s*=\s*["']?([^\s;"']+)/i.exec(type)?.[1]

/** Goes on only with a PDF that opens; whether it had to is the matter of export.pdf.readable. */
export async function needPdf(found: PdfExport, want: { text: boolean }): Promise<PdfReading> {
  const { answer, isDescribed } = found
  needServed(answer)
  const reading = await found.read(want)
  const [flaw] = reading.flaws
  if (flaw === undefined) return reading
  const sentence = `${describeAnswer(answer)}: ${flaw}`
  throw new NotDecidable(
    ...(isDescribed ? (['clause', sentence, 'export.pdf.readable'] as const) : open(sentence)),
  )
}

/** Ends the clause where an export was refused that is needed as it is. */
export function needExport(found: CsvExport | PdfExport): void {
  needServed(found.answer)
  const { answer, why = isAccepted(answer) ? undefined : notGiven(answer) } = found
  if (why) throw new NotDecidable(...why)
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
