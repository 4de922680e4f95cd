// Recorded exports behind the port that a run uses: what each shows by itself, and what the clauses' own bodies ask of
// the files of a time in which the trail stood still.

import { Readable } from 'node:stream'
import { type clauses, givensOf } from '../../engine/clause/clause.ts'
import type { Cases } from '../../engine/clause/law.ts'
import { sharedAmong } from '../../engine/clause/shared.ts'
import { createKnownFiles } from '../../engine/files/csv.ts'
import { hourMs, instantAt } from '../../engine/files/dates.ts'
import { isSurelyEvent, tellsEvents } from '../../engine/files/line-frame.ts'
import { addTo, grouped } from '../../engine/grouped.ts'
import { isAccepted } from '../../engine/http/answers.ts'
import { NotDecidable } from '../../engine/outcome.ts'
import { randomFor } from '../../engine/random.ts'
import { isDescribed, statusOwner } from '../export/ask/breaches.ts'
import { createExports, type Exports } from '../export/ask/exports.ts'
import {
  type Field,
  isMetadataKey,
  parameters,
  type Query,
  queryText,
  type Span,
} from '../export/ask/query.ts'
import { learnPdfIdentity, PDF_LIMIT } from '../export/laws/pdf-entries.ts'
import { findAroundLimit } from '../export/learn/around-limit.ts'
import { learnColumn } from '../export/learn/columns.ts'
import { createFilters, type Sources, type Try, tryValue } from '../export/learn/filters.ts'
import { createRanges, type Ranges } from '../export/learn/ranges.ts'
import { seenIn, type Window, windowOf } from '../export/learn/window.ts'
import type { Owned } from '../service/judge.ts'
import { metadataKeys } from '../service/operations.ts'
import type { Service } from '../service/service.ts'
import type { Settings } from '../settings/table.ts'
import { decide, type Findings, notShown, unlessUndecided } from './findings.ts'
import { isPlainRefusal, type Reader, type Seen } from './recorded.ts'

/** A recorded export. Its body is read again when needed: all bodies together are too large. */
type Look = Seen & {
  asked: Query
  /** what was asked for, in one order of its parts */
  text: string
  bytes: number
  count?: number
}

/** More is not compared at once: each file is kept while it is. */
const mostLooks = 1000
const mostBytes = 96_000_000
const mostEpochs = 5

export type Asking = {
  clauses: typeof clauses
  settings: Settings
  readAt: Reader
  pdfLimit?: number | undefined
}

const textOf = (query: Query): string => queryText(query, 'repeat')

const single = {
  range_start: 'start',
  range_end: 'end',
  file_type: 'fileType',
  locale: 'locale',
  timezone: 'timezone',
} as const

export function queryIn(text: string): Query {
  const query: Query = { fileType: null }
  const filters = new Map<string, string[]>()
  const metadata = new Map<string, string>()
  const more: string[] = []
  for (const [name, value] of new URLSearchParams(text)) {
    const [, key = ''] = /^metadata\[(\w+)\]$/.exec(name) ?? []
    const place = single[name as keyof typeof single]
    if (metadataKeys.some((each) => each === key) && !metadata.has(key)) metadata.set(key, value)
    else if (parameters.some((each) => each === name)) addTo(filters, name, value)
    else if (place && query[place] == null) query[place] = value
    else more.push(`${name}=${value}`)
  }
  const lists = { filters: Object.fromEntries(filters), metadata: Object.fromEntries(metadata) }
  return { ...query, ...lists, ...(more.length > 0 && { more: more.join('&') }) }
}

/** The clauses that an export with these mistakes belongs to. */
export function mistakesIn({
  start = '',
  end = '',
  fileType,
  timezone,
  more = '',
}: Query): string[] {
  const times = [start, end].map((text) => (/T.*Z$/.test(text) ? Date.parse(text) : Number.NaN))
  const isReversed = !times.some(Number.isNaN) && instantAt(start) > instantAt(end)
  const isWord = (bound: string) => /^[a-z ]+$/i.test(bound) && bound !== 'null'
  // Only some libraries know some short names of time zones.
  const isNoZone = timezone && !/^[A-Z]{1,5}$/i.test(timezone) && !isDescribed({ timezone }, false)
  const is = {
    [`range.reversed.${fileType === 'pdf' ? 'pdf' : 'csv'}`]: isReversed,
    'invalid.file-type': fileType != null && !['csv', 'pdf'].includes(fileType),
    'invalid.metadata-key': /(^|&)metadata\[\w+\]=/.test(more),
    'invalid.range-form': isWord(start) || isWord(end),
    'invalid.timezone': isNoZone,
  }
  return Object.entries(is).flatMap(([name, isSo]) => (isSo ? [`export.${name}`] : []))
}

/** What was not recorded ends a law undecided. */
function replayed(looks: readonly Look[], readAt: Reader, met = (_: Owned) => {}): Exports {
  const byText = grouped(looks, ({ text }) => text)
  const turns = new Map<string, number>()
  const service: Pick<Service, 'download' | 'downloadFrom' | 'times' | 'knownFiles' | 'facts'> = {
    async download(query, sink) {
      const asked = queryIn(query)
      const own = textOf(asked)
      // Without file_type the type is csv.
      const isBare = !byText.has(own) && asked.fileType === 'csv'
      const text = isBare ? textOf({ ...asked, fileType: null }) : own
      const answers = byText.get(text) ?? []
      const turn = turns.get(text) ?? 0
      turns.set(text, turn + 1)
      const look = answers[turn % answers.length]
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

/** Judges recorded exports whose key is not known to be invalid. */
export async function judgeExports(all: readonly Seen[], findings: Findings, asking: Asking) {
  const looks: Look[] = []
  for (const one of all) {
    const asked = queryIn(one.query)
    if (one.operation !== 'export' || one.key !== 'given' || mistakesIn(asked).length > 0) continue
    const file = isAccepted(one.answer) ? asking.readAt(one.number)?.body : undefined
    const look: Look = { ...one, asked, text: textOf(asked), bytes: file?.length ?? 0 }
    if (isAccepted(one.answer) && isDescribed(asked, false))
      findings.decided([statusOwner(asked)], one.number)
    if (file) await readFile(look, findings, asking).catch(unlessUndecided)
    if (file || isPlainRefusal(one)) looks.push(look)
  }
  // Keys that recorders redact do not tell clients apart.
  const known = looks.filter(({ who }) => who !== undefined)
  for (const [, own] of grouped(known, ({ recorder, who }) => `${recorder} ${who}`))
    for (const epoch of epochsIn(own))
      await askEpoch(own, epoch, findings, asking).catch(unlessUndecided)
}

/** What a file shows by itself. A file at another address is in no recording of this service. */
async function readFile(look: Look, findings: Findings, { readAt }: Asking) {
  const { asked, number } = look
  const port = replayed([look], readAt, (owned) => findings.broken([owned]))
  const type = asked.fileType === 'pdf' ? 'pdf' : 'csv'
  if (type === 'pdf') {
    const { bytes, told, read } = await port.pdf(asked)
    if (!bytes || told) return
    await read({ text: false })
  } else {
    const { csv, told } = await port.csv(asked)
    if (!csv || told) return
    look.count = csv.count
  }
  if (isDescribed(asked, false)) findings.decided([`export.${type}.readable`], number)
}

const isCsv = ({ asked, answer }: Look) => asked.fileType !== 'pdf' && isAccepted(answer)

const valuesIn = ({ filters = {}, metadata = {} }: Query): [Field, readonly string[]][] => [
  ...(Object.entries(filters) as [Field, readonly string[]][]),
  ...Object.entries(metadata).map(([key, value = '']) => [key, [value]] as [Field, string[]]),
]

const isPlain = ({ asked }: Look) =>
  valuesIn(asked).length === 0 && !asked.locale && !asked.timezone && !asked.more

/** As for the window of a run: events of the last hour may not have reached every replica. */
const isWhole = (look: Look) =>
  isCsv(look) &&
  isPlain(look) &&
  look.asked.start !== undefined &&
  Date.parse(look.asked.end ?? '') <= look.start - hourMs &&
  (look.count ?? 0) >= 3

/** A range with two equal looks at all of its events, and what was asked for in between. */
type Epoch = { span: Span; within: Look[] }

/** Those in which most was asked for. */
function epochsIn(looks: readonly Look[]): Epoch[] {
  const alike = grouped(looks.filter(isWhole), ({ count, text }) => `${count} ${text}`)
  const epochs = [...alike.values()].flatMap(([first, ...others]): Epoch[] => {
    const last = others.at(-1)
    if (!first || !last || last.start < first.end) return []
    const { start = '', end = '' } = first.asked
    const isWithin = (look: Look) => look.start >= first.start && look.end <= last.end
    return [{ span: { start, end }, within: looks.filter(isWithin) }]
  })
  return epochs.sort((a, b) => b.within.length - a.within.length).slice(0, mostEpochs)
}

/** The window of an epoch: each record of its file that looks like a row shows what every event does. */
async function windowIn(port: Exports, span: Span, looks: readonly Look[]): Promise<Window> {
  const text = textOf({ ...span, fileType: 'csv' })
  const part = looks.find((look) => isCsv(look) && look.count && look.text !== text)
  const seen = seenIn(span, (await port.csvFile(span)).records)
  const isSure = tellsEvents(seen.shape) && seen.rows.every((row) => isSurelyEvent(seen.shape, row))
  if (!part || !isSure) throw new NotDecidable('data', notShown)
  const again = await port.fresh.csvFile(span)
  const { window, isClosed } = windowOf(seen, await port.csvFile(part.asked), again)
  if (!isClosed || window.columns.length === 0) throw new NotDecidable('data', notShown)
  return window
}

/** An object with these members; a clause that reads another member is undecided. */
const absentBut = (known: Record<string, unknown>): object =>
  new Proxy(known, {
    get(_, name) {
      if (typeof name === 'string' && name in known) return known[name]
      throw new NotDecidable('data', notShown)
    },
  })
const absent = absentBut({})

async function askEpoch(own: readonly Look[], epoch: Epoch, findings: Findings, asking: Asking) {
  const { clauses, settings, readAt, pdfLimit = PDF_LIMIT } = asking
  const others = own.filter((look) => !epoch.within.includes(look))
  let bytes = 0
  const looks = [...epoch.within, ...others].slice(0, mostLooks).filter((look) => {
    bytes += look.bytes
    return bytes < mostBytes
  })
  const exports = replayed(looks, readAt)
  const window = await windowIn(exports, epoch.span, looks)
  // The search for the window of a run finds this window.
  await exports.once('closed window', async () => window)
  const searched = { settings, stop: new AbortController().signal, pdfLimit }
  const sources = { settings, read: async () => ({ tasks: [], assessments: [] }) }
  const filters = await filtersOf(exports, window, looks, sources)
  const givens: Record<string, () => unknown> = {
    exports: () => exports,
    window: () => window,
    settings: () => settings,
    session: () => absentBut({ ...searched, history: absent, known: absent, watchers: absent }),
    pdfLimit: () => pdfLimit,
    ranges: () => rangesOf(createRanges(exports, searched), looks, window),
    filters: () => filters,
    sample: () => ({ query: epoch.span, window }),
    sources: () => sources,
    aroundLimit: () =>
      exports.once('around the PDF limit', (inner) => findAroundLimit(inner, window, pdfLimit)),
    pdfIdentity: () => learnPdfIdentity(exports, window),
    updatesOver: () => async () => {},
  }
  // Only files between two equal looks at their range can show a breach.
  const sure = new Set(epoch.within.map(({ number }) => number))
  for (const [id, { judging, body }] of clauses) {
    // What an observing clause sees in one epoch is enough.
    const isSeen = 'look' in judging && findings.all.has(id)
    if (judging.seen !== 'files' || !body || isSeen) continue
    const ask = async () => {
      const given: Record<string, unknown> = { random: randomFor(settings.seed, id) }
      for (const name of givensOf(body)) given[name] ??= (await givens[name]?.()) ?? absent
      return (body as (given: object) => Cases<object>)(given)
    }
    const isSure = (number: number) => sure.has(number)
    await decide(findings, id, judging, ask, isSure).catch(unlessUndecided)
  }
}

/** The ranges of a run, which cut the window at the times of the client. */
function rangesOf(ranges: Ranges, looks: readonly Look[], { start, end }: Window): Ranges {
  const plain = looks.filter(isPlain).map(({ asked }) => asked)
  const isCut = (time: string) =>
    plain.some((one) => one.start === start && one.end === time) &&
    plain.some((one) => one.start === time && one.end === end)
  const cuts = async () => {
    const own = (await ranges.cuts().catch(unlessUndecided)) ?? []
    const recorded = plain.flatMap((one) => one.end ?? []).filter(isCut)
    return own.length > 0 && own.every(isCut) ? own : [...new Set(recorded)]
  }
  return { ...ranges, cuts }
}

/** The filters of a run, whose values are those that were recorded, the most selective first. */
async function filtersOf(port: Exports, window: Window, looks: readonly Look[], sources: Sources) {
  const isTelling = ({ effect }: Try) => effect === 'some'
  const tried = new Map<Field, Try[]>()
  for (const { asked } of looks) {
    const [[field, [value = '', more] = []] = [], other] = valuesIn(asked)
    const isOfWindow = asked.start === window.start && asked.end === window.end
    const isAlone = !other && more === undefined && !asked.timezone && !asked.locale
    if (!field || !isOfWindow || !isAlone) continue
    if (tried.get(field)?.some((each) => each.value === value)) continue
    const one = await tryValue(port, window, { field, value }).catch(unlessUndecided)
    if (one) addTo(tried, field, one)
  }
  // A file that was not recorded counts as refused, for cases that ask whether it is.
  const csv: Exports['csv'] = (query) =>
    port.csv(query).catch(() => ({ answer: { status: 404 } }) as never)
  for (const [field, tries] of tried) {
    const inOrder = tries.toSorted((a, b) => Number(isTelling(b)) - Number(isTelling(a)))
    await port.once(`values of ${field}`, async () => inOrder)
    await port.once(`column of ${field}`, () => learnColumn(field, { ...port, csv }, window, []))
  }
  const settled = [...tried].some(([field, all]) => !isMetadataKey(field) && all.some(isTelling))
  const form = { encoding: 'repeat', declared: false, settled } as const
  return createFilters(port, { window, form, sources })
}
