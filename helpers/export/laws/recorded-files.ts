// What a run learns of exports, as far as recorded ones show it.

import { Readable } from 'node:stream'
import { caseOrWhy } from '../../../engine/clause/law.ts'
import { sharedAmong } from '../../../engine/clause/shared.ts'
import { createKnownFiles } from '../../../engine/files/csv.ts'
import { dayMs } from '../../../engine/files/dates.ts'
import { isSameRecord, isSurelyEvent, tellsEvents } from '../../../engine/files/line-frame.ts'
import { addTo, grouped } from '../../../engine/grouped.ts'
import { isAccepted } from '../../../engine/http/answers.ts'
import { NotDecidable } from '../../../engine/outcome.ts'
import type { Offered } from '../../service/export-facts.ts'
import type { Owned } from '../../service/judge.ts'
import { notShown, type Reader, type Seen } from '../../service/seen.ts'
import type { Service } from '../../service/service.ts'
import { createExports, type Exports } from '../ask/exports.ts'
import {
  type Field,
  filterBy,
  isIdentifier,
  isMetadataKey,
  parameters,
  type Query,
  queryIn,
  queryText,
  type Span,
} from '../ask/query.ts'
import { findAroundLimit } from '../learn/around-limit.ts'
import { learnColumn } from '../learn/columns.ts'
import {
  createFilters,
  isShownAs,
  isTelling,
  type Sources,
  type Try,
  tryValue,
} from '../learn/filters.ts'
import { createRanges } from '../learn/ranges.ts'
import type { Searched } from '../learn/spans.ts'
import { learnTimes } from '../learn/time-column.ts'
import { seenIn, spanOf, type Window, windowOf } from '../learn/window.ts'
import { learnPdfIdentity } from './pdf-entries.ts'

/** A recorded export. Its body is read again when needed: all bodies together are too large. */
export type Looked = Seen & {
  asked: Query
  /** what was asked for, in one order of its parts */
  text: string
  bytes: number
  count?: number
}

export const textOf = (query: Query): string => queryText(query, 'repeat')

/** The port of a run. What was not recorded ends a law undecided. */
export function replayed(
  looks: readonly Looked[],
  readAt: Reader,
  met = (_: Owned) => {},
): Exports {
  const byText = grouped(looks, ({ text }) => text)
  const service: Pick<Service, 'download' | 'downloadFrom' | 'times' | 'knownFiles' | 'facts'> = {
    async download(query, sink) {
      const asked = queryIn(query)
      // Without file_type the type is csv.
      const bare = asked.fileType === 'csv' ? { ...asked, fileType: null } : asked
      const same = byText.get(textOf(asked)) ?? byText.get(textOf(bare)) ?? []
      const look = same.shift()
      if (look) same.push(look)
      const { answer, body } = (look && readAt(look.number)) ?? {}
      if (!look || !answer || !body) throw new NotDecidable('data', notShown)
      const head = { ...answer, bytesRead: body.length }
      const address = new URL(look.path, 'http://recorded')
      return { answer: head, address, met, result: await sink(Readable.from([body]), head) }
    },
    downloadFrom: async () => 'unreachable',
    times: () => [Math.min(...looks.map(({ start }) => start))],
    knownFiles: createKnownFiles(),
    facts: { declared: {}, found: {} },
  }
  const asService = service as Service
  const shared = sharedAmong(
    new Map(),
    () => asService,
    () => {},
  )
  return createExports(asService, shared, 'repeat')
}

export const isCsv = ({ asked, answer }: Looked) => asked.fileType !== 'pdf' && isAccepted(answer)

export const valuesIn = ({ filters = {}, metadata = {} }: Query): [Field, readonly string[]][] => [
  ...(Object.entries(filters) as [Field, readonly string[]][]),
  ...Object.entries(metadata).map(([key, value = '']) => [key, [value]] as [Field, string[]]),
]

export const isPlain = ({ asked }: Looked) =>
  valuesIn(asked).length === 0 && !asked.locale && !asked.timezone && !asked.more

const isOfMonth = ({ asked: { start = '', end = '' } }: Looked) =>
  Date.parse(end) - Date.parse(start) <= 31 * dayMs

export type Learned = Awaited<ReturnType<typeof learnedFrom>>

/** The givens of exports; of the looks, two equal ones show all events of this span. */
export async function learnedFrom(
  looks: readonly Looked[],
  { span, offered }: { span: Span; offered: Offered },
  readAt: Reader,
  searched: Searched,
) {
  const { settings, pdfLimit } = searched
  const exports = replayed(looks, readAt)
  const window = await windowIn(exports, span, looks)
  // The search for the window of a run finds this one.
  await exports.once('closed window', async () => window)
  const ranges = createRanges(exports, searched)
  // Another client than a run has chosen otherwise.
  if ((await caseOrWhy(learnTimes(exports, window))) instanceof Error) {
    exports.facts.recorded = offered
    ranges.cuts = async () => offered.cuts
    await exports.once('few events', async () => span)
    const seasons = { spans: [span], isBoth: false, date: span.start.slice(0, 10) }
    await exports.once('seasons', async () => seasons)
  }
  const sources = { settings, read: async () => ({ tasks: [], assessments: [] }) }
  return {
    ...{ exports, window, ranges, settings, sources, pdfLimit },
    filters: await filtersOf(exports, window, looks, sources),
    get sample() {
      // A service may refuse a PDF for its range, unless it refuses all of them, also that of a month.
      const pdfs = looks.filter(({ asked }) => asked.fileType === 'pdf')
      const own = pdfs.find(({ text }) => text === textOf({ ...span, fileType: 'pdf' }))
      const mayBeLong = pdfs.some(({ answer }) => isAccepted(answer)) || !pdfs.some(isOfMonth)
      if (own && !isAccepted(own.answer) && mayBeLong) throw new NotDecidable('data', notShown)
      return { query: span, window }
    },
    get aroundLimit() {
      return exports.once('around the PDF limit', (inner) =>
        findAroundLimit(inner, window, pdfLimit),
      )
    },
    get pdfIdentity() {
      return learnPdfIdentity(exports, window)
    },
  }
}

/** Each record of the file that looks like a row shows what every event does. */
async function windowIn(port: Exports, span: Span, looks: readonly Looked[]): Promise<Window> {
  const text = textOf({ ...span, fileType: 'csv' })
  const part = looks.find((look) => isCsv(look) && look.count && look.text !== text)
  const seen = seenIn(span, (await port.csvFile(span)).records)
  const isSure = tellsEvents(seen.shape) && seen.rows.every((row) => isSurelyEvent(seen.shape, row))
  if (!part || !isSure) throw new NotDecidable('data', notShown)
  const [again, other] = [await port.fresh.csvFile(span), await port.csvFile(part.asked)]
  // Titles with digits look like an event, with which each file begins.
  const mayBeTitles = !seen.header && isSameRecord(seen.rows[0] ?? [], other.records[0] ?? [])
  const { window, isClosed } = windowOf(seen, other, again)
  if (mayBeTitles || !isClosed || window.columns.length === 0)
    throw new NotDecidable('data', notShown)
  return window
}

/** A value that no cell shows, unless all events may have it: no event has two ids under one name. */
function unknownAmong(field: Field, tries: readonly Try[], { rows }: Window) {
  const isShown = (value: string) => rows.some((row) => row.some((cell) => cell.includes(value)))
  const isAlone = tries.filter(({ effect }) => effect === 'all').length < 2
  return tries.find(({ effect, value }) => {
    const mayBeOfAll = effect === 'all' && (isAlone || !isIdentifier(field))
    return ['none', 'refused', 'all'].includes(effect) && !mayBeOfAll && !isShown(value)
  })?.value
}

/** The filters of a run, whose values are those that were recorded, the most selective first. */
async function filtersOf(
  port: Exports,
  window: Window,
  looks: readonly Looked[],
  sources: Sources,
) {
  const tried = new Map<Field, Try[]>()
  for (const { asked, text } of looks) {
    const [[field, [value = ''] = []] = []] = valuesIn(asked)
    if (!field || tried.get(field)?.some((each) => each.value === value)) continue
    const alone = { ...spanOf(window), ...filterBy(field, value), fileType: asked.fileType ?? null }
    if (text !== textOf(alone)) continue
    const known = isShownAs(field, value, window) ? 'shown' : undefined
    const one = await caseOrWhy(tryValue(port, window, { field, value, known }))
    if (!(one instanceof Error)) addTo(tried, field, one)
  }
  const settled = [...tried].some(([field, all]) => !isMetadataKey(field) && all.some(isTelling))
  const undecided = () => Promise.reject(new NotDecidable('data', notShown))
  // Where no value of an array parameter worked, another encoding may.
  for (const field of settled ? [] : parameters) {
    tried.delete(field)
    for (const what of ['values', 'column'])
      await caseOrWhy(port.once(`${what} of ${field}`, undecided))
  }
  // A file that was not recorded counts as refused, for cases that ask whether it is.
  const csv: Exports['csv'] = (query) =>
    port.csv(query).catch(() => ({ answer: { status: 404 } }) as never)
  for (const [field, tries] of tried) {
    const inOrder = tries.toSorted((a, b) => Number(isTelling(b)) - Number(isTelling(a)))
    await port.once(`values of ${field}`, async () => inOrder)
    const unknown = unknownAmong(field, tries, window)
    if (unknown !== undefined) port.facts.recorded?.unknown.set(field, unknown)
    await port.once(`column of ${field}`, () => learnColumn(field, { ...port, csv }, window, []))
  }
  const form = { encoding: 'repeat', declared: false, settled } as const
  return createFilters(port, { window, form, sources })
}
