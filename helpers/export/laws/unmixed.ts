// Exports must not affect one another: neither earlier ones, refused ones included, nor simultaneous ones.

import { contentOf } from '../../../engine/files/content.ts'
import { instantAt, isoOf, millisecond, second } from '../../../engine/files/dates.ts'
import {
  intersection,
  isEqual,
  type Multiset,
  minus,
  multisetOf,
  sizeOf,
  stableColumns,
} from '../../../engine/files/multiset.ts'
import { describeAnswer, isAccepted, isRefused } from '../../../engine/http/answers.ts'
import { NotDecidable } from '../../../engine/outcome.ts'
import { type Problem, problem } from '../../../engine/problem.ts'
import { pagesToRead } from '../ask/breaches.ts'
import { type CsvExport, type Exports, isUsable, needPdf } from '../ask/exports.ts'
import type { PdfExport } from '../ask/pdf-export.ts'
import { describeFilter, filterBy, mergeQueries, type Query } from '../ask/query.ts'
import type { Filters, KnownValue } from '../learn/filters.ts'
import { type Ranges, unlessUndecided } from '../learn/ranges.ts'
import type { Span } from '../learn/spans.ts'
import { eventRows, type Window } from '../learn/window.ts'
import { differing } from './file.ts'
import { acceptedLanguages, needZonesApart } from './zones-and-locales.ts'

const files = ['text', 'PDF']

type ShownFile = { content: string; rows: string[][]; file: CsvExport | PdfExport }
type Seen = { asked: NamedQuery; found: ShownFile | undefined }

const isPdf = ({ by }: NamedQuery) => by === 'format'

async function see(
  { csv, pdf }: { csv: Exports['csv']; pdf: Exports['pdf'] },
  window: Window,
  asked: NamedQuery,
): Promise<ShownFile | undefined> {
  const { fileType: _, ...query } = asked.query
  const found: CsvExport | PdfExport = isPdf(asked) ? await pdf(query) : await csv(query)
  if (!isAccepted(found.answer)) return undefined
  const beginning =
    'read' in found ? found.bytes?.toString('latin1', 0, 2048) : found.csv?.beginning
  const content = contentOf(beginning ?? '')
  if ('read' in found || !isUsable(found)) return { content, rows: [], file: found }
  const rows = eventRows(window, found.csv?.records ?? [], found.csv?.cut)
  return { content, rows, file: found }
}

/**
 * Files that equal, or contain parts of, the file of another request, where the same request gave its own
 * file before. Other changes are ignored: events come and go.
 */
async function problemsOfMixing(
  window: Window,
  asks: readonly NamedQuery[],
  own: ReadonlyMap<NamedQuery, ShownFile>,
  seen: readonly Seen[],
  when: (asked: NamedQuery, at: number) => string,
): Promise<Problem[]> {
  const eventsOf = ({ rows }: ShownFile) => multisetOf(rows, window.columns)
  return seen.flatMap(({ asked, found }, at) => {
    const right = own.get(asked)
    if (!right || !found) return []
    const problemOf = (what: string, expected: string, got: string) => {
      const seen = { expected, got, judged: found.file, control: right.file }
      const sentence = `${asked.what}, asked for ${when(asked, at)}, ${what}`
      return problem(sentence, { ...seen, again: { why: needsOthers } })
    }
    const [is, was] = [found.content, right.content]
    if (is !== was && files.includes(is) && files.includes(was))
      return problemOf(`is ${is}, and was ${was} before`, was, is)
    const [events, ownEvents] = [eventsOf(found), eventsOf(right)]
    if (isPdf(asked) || isEqual(events, ownEvents)) return []
    const strange = minus(events, ownEvents)
    // More events that look like its own may have arrived.
    const looksNew = new Map([...strange].filter(([key]) => !ownEvents.has(key)))
    const areTelling = 2 * sizeOf(looksNew) > sizeOf(strange)
    const isOf = (other: NamedQuery, file: ShownFile) => {
      const theirs = eventsOf(file)
      if (isEqual(theirs, ownEvents) || isMoved(window, [asked, right], [other, file])) return false
      const isOfTheirs = areTelling && sizeOf(strange) > 0 && sizeOf(minus(strange, theirs)) === 0
      return isEqual(events, theirs) || isOfTheirs
    }
    const source = asks.find((other) => {
      if (other === asked || isPdf(other)) return false
      const files = [own.get(other), ...seen.map((each) => each.asked === other && each.found)]
      return files.some((file) => file && isOf(other, file))
    })
    if (!source) return []
    return problemOf(
      describeMixing(source, sizeOf(strange), found.rows.length),
      `the ${right.rows.length} rows that it had before`,
      `${sizeOf(strange)} other rows of ${found.rows.length}`,
    )
  })
}

const needsOthers = 'it shows only after other requests, or while others are under way'

const describeMixing = ({ what, by }: NamedQuery, strange: number, rows: number): string => {
  if (by === 'zone' || by === 'language')
    return `differs in ${by === 'zone' ? 'dates' : 'language'} alone: ${strange} of its ${rows} rows are those of ${what}`
  return strange === 0
    ? `holds the ${rows} events of ${what}`
    : `holds ${strange} events of ${what}, which do not belong there`
}

/** Files of the same events in two forms differ: data moved between them. */
function isMoved(
  window: Window,
  [one, a]: [NamedQuery, ShownFile],
  [other, b]: [NamedQuery, ShownFile],
): boolean {
  const isForm = ({ by }: NamedQuery) => !['filter', 'range', 'format'].includes(by)
  if (!isForm(one) || !isForm(other)) return false
  return differing(window, b.rows, { sure: a.rows, possible: a.rows }) !== undefined
}

const minAsked = 3

async function ownFiles(exports: Exports, window: Window, asks: readonly NamedQuery[]) {
  const own = new Map<NamedQuery, ShownFile>()
  for (const asked of asks) {
    const found = await see(exports, window, asked)
    if (found) own.set(asked, found)
  }
  if (own.size >= minAsked) return own
  throw new NotDecidable(
    'freedom',
    `of ${asks.length} exports that differ in zone, language, filter, format or range ${own.size} are accepted; which requests are invalid is not shown in full`,
  )
}

/**
 * What is wrong with exports that are repeated in another order: if a service caches without the whole
 * query, the first file shows in later ones. The plain one follows two zones and two languages.
 */
export async function problemsInTurn(
  exports: Exports,
  window: Window,
  asks: readonly NamedQuery[],
): Promise<Problem[]> {
  const own = await ownFiles(exports, window, asks)
  const { firsts, seconds } = divided([...own.keys()])
  const plain = firsts.slice(0, seconds.length > 0 ? 1 : 0)
  const walk = [...firsts.toReversed(), ...seconds, ...plain]
  const seen: Seen[] = []
  for (const [at, asked] of walk.entries()) {
    const query = laterBy(asked.query, at < firsts.length ? 1 : 2)
    seen.push({ asked, found: await see(exports.fresh, window, { ...asked, query }) })
  }
  return problemsOfMixing(window, asks, own, seen, (_, at) => {
    const before = walk[at - 1]
    return before ? `again after ${before.what}` : 'again'
  })
}

/** The second zone and the second language, and all others. */
function divided(asks: readonly NamedQuery[]): { firsts: NamedQuery[]; seconds: NamedQuery[] } {
  const isSecond = ({ by }: NamedQuery, at: number) =>
    (by === 'zone' || by === 'language') && asks.findIndex((other) => other.by === by) < at
  return {
    firsts: asks.filter((asked, at) => !isSecond(asked, at)),
    seconds: asks.filter(isSecond),
  }
}

export async function problemsAtOnce(
  exports: Exports,
  window: Window,
  asks: readonly NamedQuery[],
): Promise<Problem[]> {
  const own = await ownFiles(exports, window, divided(asks).firsts)
  const asking = [...own.keys()].map(
    async (asked): Promise<Seen> => ({ asked, found: await see(exports.fresh, window, asked) }),
  )
  const seen = await Promise.all(asking)
  return problemsOfMixing(window, asks, own, seen, () => 'at the same time as others')
}

type NamedQuery = {
  what: string
  by: 'nothing' | 'zone' | 'language' | 'default language' | 'filter' | 'range' | 'format'
  query: Query
}

/**
 * The window with the columns that stay equal when zone and language are named. If the service remembers
 * those of another request, dates and words vary, and are not among the window's columns.
 */
export async function withNamed(window: Window, { exports, few, times }: Ranges): Promise<Window> {
  const utc = (await times().catch(unlessUndecided))?.utc ?? {}
  const query = { ...(await few()), ...utc, locale: 'en' }
  const rowsIn = ({ csv }: CsvExport) => eventRows(window, csv?.records ?? [])
  const [one, other] = [await exports.csv(query), await exports.fresh.csv(query)].map(rowsIn)
  const staying = one && other ? stableColumns(one, other) : []
  // The time when a file was made may be in each row, and equal in two files.
  const telling = staying.filter((at) => new Set(one?.map((row) => row[at])).size > 1)
  return { ...window, columns: [...new Set([...window.columns, ...telling])] }
}

const fields = ['event_type', 'sub_type', 'system_source', 'entity_id', 'auditee_id'] as const

/** Exports to request in turn: the plain one, and others that each differ from it in one way. */
export async function asksInTurn(ranges: Ranges, filters: Filters): Promise<NamedQuery[]> {
  const { exports } = ranges
  const [window, few] = [await ranges.window(), await ranges.few()]
  const plain: NamedQuery = { what: 'the plain export', by: 'nothing', query: few }
  const asks = [plain]
  // First of all, so that later requests show what this one leaves behind.
  await filters.exports.csv(few)
  const zones = (await needZonesApart(exports, window, few).catch(unlessUndecided)) ?? []
  // Two of each: a remembered one can equal only one of them.
  for (const timezone of zones.slice(0, 2))
    asks.push({ what: `that in ${timezone}`, by: 'zone', query: { ...few, timezone } })
  // Between other languages and the plain one.
  asks.push({ what: 'that in en', by: 'default language', query: { ...few, locale: 'en' } })
  for (const locale of await acceptedLanguages(exports, few, 2))
    asks.push({ what: `that in ${locale}`, by: 'language', query: { ...few, locale } })
  const known = await findDividing(filters, window, few)
  if (known) {
    const query = mergeQueries(few, filterBy(known.field, known.value))
    asks.push({ what: `that for ${describeFilter(known.field, known.value)}`, by: 'filter', query })
  }
  asks.push({ what: 'the PDF', by: 'format', query: { ...few, fileType: 'pdf' } })
  const [cut] = await ranges.cuts()
  if (cut !== undefined && cut > window.start) {
    // Not at the time of an event: the repetition ends a little later, and must not hold one more.
    const [from, to] = [instantAt(window.start), instantAt(cut)]
    const middle = isoOf(((from + to) / (2n * second)) * second + 7n * millisecond)
    const query = { start: window.start, end: middle }
    asks.push({ what: `that from ${window.start} to ${middle}`, by: 'range', query })
  }
  return asks
}

async function findDividing(
  filters: Filters,
  window: Window,
  few: Span,
): Promise<Pick<KnownValue, 'field' | 'value'> | undefined> {
  const { exports } = filters
  const eventsOf = async (query: Query) =>
    multisetOf(eventRows(window, (await exports.csv(query)).csv?.records ?? []), window.columns)
  const all = await eventsOf(few)
  const divides = (events: Multiset) => {
    const size = sizeOf(intersection(events, all))
    return size > 0 && size < sizeOf(all)
  }
  for (const field of fields)
    for (const known of await filters.known(field)) if (divides(known.events)) return known
  // If a service caches files regardless of filters, each value got all events: vary the range.
  let milliseconds = 3
  for (const field of fields)
    for (const value of (await filters.likely(field)).slice(0, maxTried)) {
      const query = mergeQueries(laterBy(few, milliseconds), filterBy(field, value))
      if (divides(await eventsOf(query))) return { field, value }
      milliseconds += 1
    }
  return undefined
}

const maxTried = 2

/** The same range, some milliseconds longer: a cached file is not given for it. */
const laterBy = <Q extends Query>(query: Q, milliseconds: number): Q => {
  if (query.end === undefined) return query
  return { ...query, end: isoOf(instantAt(query.end) + BigInt(milliseconds) * millisecond) }
}

/** A title may show one time: when the file was made. */
const minDates = 2

/** The words with two digits or more: the zone changes those that belong to dates. */
const datesIn = (pages: readonly string[] = []) => {
  const words = pages.join(' ').split(/\s+/)
  return new Set(words.filter((word) => /\d.*\d/.test(word)))
}

/** A PDF without a zone shows the dates of the request before, in another zone, and none of its own first dates. */
export async function problemsOfPdfInTurn(
  exports: Exports,
  asks: readonly NamedQuery[],
): Promise<Problem[]> {
  const [plain] = asks
  const zones = asks.filter(({ by }) => by === 'zone')
  const last = zones.at(-1)
  if (!plain || !last) return []
  const see = async ({ query }: NamedQuery) => {
    const found = await exports.fresh.pdf(query)
    // Another clause judges what is not a PDF or has no text.
    const read = isAccepted(found.answer)
      ? await needPdf(found, { text: true }).catch(unlessUndecided)
      : undefined
    return read && { dates: datesIn(read.text), found }
  }
  // With two known zones, the first plain PDF follows another zone than the second.
  if (zones.length > 1) await see(zones[0] as NamedQuery)
  const [first, between, again] = [await see(plain), await see(last), await see(plain)]
  if (!first || !between || !again) return []
  const own = [...first.dates].filter((date) => !between.dates.has(date))
  const others = [...between.dates].filter((date) => !first.dates.has(date))
  const shown = others.filter((date) => again.dates.has(date))
  const isKept = own.some((date) => again.dates.has(date))
  if (isKept || own.length < minDates || shown.length < minDates) return []
  const [expected = '', got = ''] = [own[0], shown[0]]
  const sentence = `the PDF without a zone, asked for right after ${last.what}, shows ${shown.length} dates of that one, such as ${got}, and none of the ${own.length} that it showed before, such as ${expected}`
  const seen = { expected, got, judged: again.found, control: first.found }
  return [problem(sentence, { ...seen, again: pagesToRead })]
}

/** A range with one bound may hold much: its beginning is enough. */
const first = { read: 20, keep: 20 }

/**
 * Exports with one bound of a range, requested right after its reverse was refused, hold less than the range
 * itself: as if the other bound of the refused request still applied. Undefined: the reverse is not refused.
 */
export async function problemsAfterRefusal(
  exports: Exports,
  few: Span,
): Promise<Problem[] | undefined> {
  const whole = await exports.csv(few)
  const afterRefusal = async (queries: readonly Query[]) => {
    const { answer } = await exports.fresh.csv({ start: few.end, end: few.start }, first)
    if (!isRefused(answer)) return undefined
    const found: CsvExport[] = []
    for (const query of queries) found.push(await exports.fresh.csv(query, first))
    return { refused: answer, found }
  }
  const asked: Query[] = [{ end: few.end }, { start: few.start }]
  const suspected = await afterRefusal(asked)
  if (!suspected) return undefined
  const problems: Problem[] = []
  for (const query of asked.filter((_, at) => isShorter(suspected.found[at], whole))) {
    const again = await afterRefusal([query])
    // Reset: a remembered range is replaced by the next accepted one.
    await exports.fresh.csv(few, first)
    const without = await exports.fresh.csv(query, first)
    // Events may have been deleted meanwhile.
    if (!again || !isShorter(again.found[0], without)) continue
    const { refused, found } = again
    const bound = query.end === undefined ? 'range_start' : 'range_end'
    const [expected, got] = [`${countOf(without)} records`, `${countOf(found[0])} records`]
    const sentence = `an export with ${bound} alone has ${got} right after ${describeAnswer(refused)}, and ${countOf(without)} otherwise`
    const seen = { expected, got, judged: [refused, ...found], control: without }
    const why = 'it shows only right after a request that is refused'
    problems.push(problem(sentence, { ...seen, again: { why } }))
  }
  return problems
}

const countOf = (one: CsvExport | undefined): number => Math.min(one?.csv?.count ?? 0, first.read)

const isShorter = (one: CsvExport | undefined, other: CsvExport): boolean =>
  one !== undefined && isUsable(one) && isUsable(other) && countOf(one) < countOf(other)
