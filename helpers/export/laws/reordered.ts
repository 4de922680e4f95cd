// Requests in another order, or at once: no export must affect another one, nor must a refused one.

import { caseOrWhy } from '../../../engine/clause/law.ts'
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
import type { PdfReading } from '../../../engine/files/pdf.ts'
import { exactly, rowsFinding } from '../../../engine/findings/file-rows.ts'
import { twinsFinding } from '../../../engine/findings/twins.ts'
import { isAccepted, isRefused } from '../../../engine/http/answers.ts'
import type { Downloaded } from '../../../engine/http/client.ts'
import { anew, from } from '../../../engine/origin.ts'
import { Trouble } from '../../../engine/outcome.ts'
import { type Problem, problem, problemUnless } from '../../../engine/problem.ts'
import { keyOf } from '../../contract/metadata-keys.ts'
import { classes, defaultLanguage } from '../../contract/parameters.ts'
import { premise } from '../../service/answers.ts'
import { type CsvExport, type Exports, isUsable } from '../ask/exports.ts'
import type { PdfExport } from '../ask/pdf-export.ts'
import { placeOf } from '../ask/places.ts'
import { describeFilter, filterBy, mergeQueries, type Query, type Span } from '../ask/query.ts'
import type { Filters } from '../learn/filters.ts'
import { type Ranges, unlessUndecided } from '../learn/ranges.ts'
import { eventsShown, rowsSeen, type Window } from '../learn/window.ts'
import { differing } from './file.ts'
import { acceptedLanguages, needZonesApart } from './zones-and-locales.ts'

type Named = {
  what: string
  by: 'nothing' | 'zone' | 'language' | 'default language' | 'filter' | 'range' | 'format'
  query: Query
}
type Shown = { asked: Named; content: string; rows: string[][]; file: CsvExport | PdfExport }

/** What came of requests in their first order, and again in another. */
export type Reordered = { window: Window; own: Shown[]; seen: (Shown & { when: string })[] }

const isPdf = ({ by }: Named) => by === 'format'

/** none if the request is rejected */
async function shownBy(port: Exports, window: Window, asked: Named, query = asked.query) {
  const file: CsvExport | PdfExport = isPdf(asked) ? await port.pdf(query) : await port.csv(query)
  if (!isAccepted(file.answer)) return []
  const ofPdf = 'read' in file
  const beginning = ofPdf ? file.bytes?.toString('latin1', 0, 2048) : file.csv?.beginning
  const rows = ofPdf || !isUsable(file) ? [] : rowsSeen(window, file.csv)
  const shown: Shown = { asked, content: contentOf(beginning ?? ''), rows, file }
  return [from(shown, file)]
}

const minAsked = 3

/** Asks for each, then again, in turn or at once: a service may keep what a request has left. */
export async function askReordered(
  exports: Exports,
  window: Window,
  asks: readonly Named[],
  how: 'in turn' | 'at once',
): Promise<Reordered> {
  const isAtOnce = how === 'at once'
  const own: Shown[] = []
  for (const asked of isAtOnce ? divided(asks).firsts : asks)
    own.push(...(await shownBy(exports, window, asked)))
  const few = `of ${asks.length} exports that differ in time zone, language, filter, format or range ${own.length} are accepted; the contract does not list every invalid export`
  premise(own.length >= minAsked, 'freedom', few)
  const { firsts, seconds } = divided(own.map(({ asked }) => asked))
  const plain = firsts.slice(0, seconds.length > 0 ? 1 : 0)
  const again = async (asked: Named, when: string, query?: Query) =>
    (await shownBy(exports.fresh, window, asked, query)).map((each) =>
      from({ ...each, when }, each),
    )
  if (isAtOnce) {
    const seen = firsts.map((asked) => again(asked, 'at the same time as others'))
    return { window, own, seen: (await Promise.all(seen)).flat() }
  }
  const seen: Reordered['seen'] = []
  let before = ''
  for (const [at, asked] of [...firsts.toReversed(), ...seconds, ...plain].entries()) {
    // A millisecond longer: a file that is kept is not given for it.
    const query = laterBy(asked.query, at < firsts.length ? 1 : 2)
    seen.push(...(await again(asked, `again${before}`, query)))
    before = ` after ${asked.what}`
  }
  return { window, own, seen }
}

/** The second zone and the second language, and all others. */
function divided(asks: readonly Named[]): { firsts: Named[]; seconds: Named[] } {
  const isSecond = ({ by }: Named, at: number) =>
    (by === 'zone' || by === 'language') && asks.findIndex((other) => other.by === by) < at
  const seconds = asks.filter(isSecond)
  return { firsts: asks.filter((asked) => !seconds.includes(asked)), seconds }
}

/** Files that hold what the same request did not return before, and another request returns. Events come and go. */
function problemsOfMixing({ window, own, seen }: Reordered): Problem[] {
  const eventsOf = ({ rows }: Shown) => multisetOf(rows, window.columns)
  return seen.flatMap((found) => {
    const { asked, when, content: is } = found
    const right = own.find((each) => each.asked === asked)
    if (!right) return []
    const grounds = {
      judged: found,
      control: right,
      again: { why: 'it shows only after other requests, or while others are under way' },
    }
    const was = right.content
    if (is !== was && [is, was].every((each) => each === 'text' || each === 'PDF')) {
      const one = { name: `${asked.what}, requested ${when}`, has: [is] }
      const other = { name: 'the response before', has: [was] }
      const finding = twinsFinding({ things: 'types', wanted: 'alike', one, other })
      return problem(finding, grounds)
    }
    const [events, ownEvents] = [eventsOf(found), eventsOf(right)]
    if (isPdf(asked) || isEqual(events, ownEvents)) return []
    const strange = minus(events, ownEvents)
    // More events that look like its own may have arrived.
    const looksNew = new Map([...strange].filter(([key]) => !ownEvents.has(key)))
    const areTelling = 2 * sizeOf(looksNew) > sizeOf(strange)
    const source = [...own, ...seen].find((other) => {
      const theirs = eventsOf(other)
      // Files without events are alike, and a PDF shows no rows here.
      if (other.asked === asked || theirs.size === 0 || isEqual(theirs, ownEvents)) return false
      if (isMoved(window, right, other)) return false
      return isEqual(events, theirs) || (areTelling && sizeOf(minus(strange, theirs)) === 0)
    })
    if (!source) return []
    const finding = rowsFinding({
      wrong: 'others',
      what: `${asked.what}, requested ${when}`,
      place: placeOf(asked.query),
      beside: placeOf(source.asked.query),
      wanted: exactly(right.rows.length),
      got: sizeOf(events),
      count: sizeOf(strange),
      isUnsteady: true,
    })
    return problem(finding, grounds)
  })
}

/** Files of the same events in two forms differ: data moved between them. */
const isMoved = (window: Window, one: Shown, other: Shown): boolean =>
  [one, other].every(({ asked }) => !['filter', 'range', 'format'].includes(asked.by)) &&
  differing(window, other.rows, { sure: one.rows, possible: one.rows }) !== undefined

/** The window with the columns that stay equal when zone and language are named: a service may remember others. */
export async function withNamed(window: Window, { exports, few, times }: Ranges): Promise<Window> {
  const utc = (await times().catch(unlessUndecided))?.utc ?? {}
  const query = { ...(await few()), ...utc, locale: defaultLanguage }
  const rowsIn = ({ csv }: CsvExport) => rowsSeen(window, csv)
  const [one, other] = [await exports.csv(query), await exports.fresh.csv(query)].map(rowsIn)
  const staying = one && other ? stableColumns(one, other) : []
  // The time when a file was made may be in each row, and equal in two files.
  const telling = staying.filter((at) => new Set(one?.map((row) => row[at])).size > 1)
  return { ...window, columns: [...new Set([...window.columns, ...telling])] }
}

/** Those that divide the events into few parts come first. */
const fields = [...classes, keyOf.entity, 'auditee_id'] as const

/** Exports to request in turn: the plain one, and others that each differ from it in one way. */
export async function asksInTurn(ranges: Ranges, filters: Filters): Promise<Named[]> {
  const { exports } = ranges
  const [window, few] = [await ranges.window(), await ranges.few()]
  const plain: Named = { what: 'the plain export', by: 'nothing', query: few }
  const asks = [plain]
  // First of all, so that later requests show what this one leaves behind.
  await filters.exports.csv(few)
  const zones = (await needZonesApart(exports, window, few).catch(unlessUndecided)) ?? []
  const add = (how: string, by: Named['by'], query: Query) =>
    asks.push({ what: `the export ${how}`, by, query })
  // Two of each: a file that was kept can equal only one of them.
  for (const timezone of zones.slice(0, 2))
    add(`with timezone=${timezone}`, 'zone', { ...few, timezone })
  // Between other languages and the plain one.
  add(`with locale=${defaultLanguage}`, 'default language', { ...few, locale: defaultLanguage })
  for (const locale of await acceptedLanguages(exports, few, 2))
    add(`with locale=${locale}`, 'language', { ...few, locale })
  const known = await findDividing(filters, window, few)
  if (known) {
    const { field, value } = known
    const query = mergeQueries(few, filterBy(field, value))
    add(`for ${describeFilter(field, value)}`, 'filter', query)
  }
  asks.push({ what: 'the PDF', by: 'format', query: few })
  const [cut] = await ranges.cuts()
  if (cut !== undefined && cut > window.start) {
    // Not at the time of an event: the repetition ends a little later, and must not hold one more.
    const [from, to] = [instantAt(window.start), instantAt(cut)]
    const end = isoOf(((from + to) / (2n * second)) * second + 7n * millisecond)
    add(`from ${window.start} to ${end}`, 'range', { start: window.start, end })
  }
  return asks
}

async function findDividing({ exports, known, likely }: Filters, window: Window, few: Span) {
  const eventsOf = async (query: Query) => eventsShown(window, (await exports.csv(query)).csv)
  const all = await eventsOf(few)
  const divides = (events: Multiset) => {
    const size = sizeOf(intersection(events, all))
    return size > 0 && size < sizeOf(all)
  }
  for (const field of fields)
    for (const one of await known(field)) if (divides(one.events)) return one
  // If a service caches files regardless of filters, each value got all events: vary the range.
  let milliseconds = 3
  for (const field of fields)
    for (const value of (await likely(field)).slice(0, maxTried)) {
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

/** The least difference between two PDFs: one word may be equal in both, and a title may show one time. */
const minWords = 2

/** What a time zone and a language change in a PDF: the dates, and the words. */
const wordsOf = { zone: /\d.*\d/, language: /^\P{N}{3,}$/u }

/** PDFs asked for in this order: the plain one, or one that names what is the default; another one; the plain one. */
type PlainAfter = {
  by: keyof typeof wordsOf
  what: string
  own: PdfReading
  other: PdfReading
  plain: PdfReading
  once?: PdfReading
}

export async function askPlainAfter(
  { fresh }: Exports,
  by: PlainAfter['by'],
  what: string,
  [own, other, plain]: readonly [Query, Query, Query],
): Promise<PlainAfter> {
  const look = (query: Query) => fresh.pdfFile(query)
  const one = { by, what, own: await look(own), other: await look(other), plain: await look(plain) }
  // Some words may be of one file only; without a zone, a file may be in any that was asked for before.
  return by === 'zone' ? one : anew(one, async () => ({ ...one, once: await look(own) }))
}

/** The plain PDF has none of its own words, which the PDF before it lacks, but other words. */
export function problemsOfPlain({ by, what, own, other, plain, once = own }: PlainAfter) {
  const wordsIn = ({ text = [] }: PdfReading) =>
    new Set(text.flatMap((page) => page.split(/\s+/)).filter((word) => wordsOf[by].test(word)))
  const [inOwn, inOther, inPlain, again] = [own, other, plain, once].map(wordsIn) as [
    ...[Set<string>, Set<string>, Set<string>, Set<string>],
  ]
  const mine = [...inOwn].filter((word) => !inOther.has(word))
  const open =
    'no PDF has other words in another language than in English; the contract does not list the supported locales'
  premise(by === 'zone' || mine.length >= minWords, 'freedom', open)
  const others = [...inPlain].filter((word) => !inOwn.has(word))
  const lasting = mine.filter((word) => again.has(word))
  const isKept = mine.some((word) => inPlain.has(word)) || others.length < minWords
  const name = by === 'zone' ? 'the PDF without a time zone' : 'the PDF without a locale'
  const ownName = by === 'zone' ? `${name} before it` : 'the PDF with the default locale'
  const finding = twinsFinding({
    things: 'words',
    wanted: 'alike',
    one: { name: `${name} right after ${what}`, has: others.slice(0, 1), count: others.length },
    other: { name: ownName, has: lasting.slice(0, 1), count: lasting.length },
  })
  const isRight = isKept || lasting.length < minWords
  return problemUnless(isRight, finding, { judged: plain, control: own })
}

/** The plain PDF, after one in a zone; with two known zones, the first plain one follows another zone. */
export async function* askZonedPdfs(exports: Exports, asks: readonly Named[]) {
  const plain = asks.find(({ by }) => by === 'nothing')
  const [first, last = first] = asks.filter(({ by }) => by === 'zone')
  if (!plain || !first || !last) return
  await exports.fresh.pdf(first.query)
  const queries = [plain.query, last.query, plain.query] as const
  const one = await caseOrWhy(askPlainAfter(exports, 'zone', last.what, queries))
  // Other clauses judge whether a PDF is given.
  if (!(one instanceof Trouble)) yield one
}

/** An export with one bound of a range, right after its reverse was refused; and one that holds as much. */
type AfterRefusal = { query: Query; refused: Downloaded; found: CsvExport; control: CsvExport }

/** A range with one bound may hold much: its beginning is enough. */
const first = { read: 20, keep: 20 }

/** None if the reverse is not refused. */
export async function askAfterRefusal(exports: Exports, few: Span): Promise<AfterRefusal[]> {
  const { fresh } = exports
  const whole = await exports.csv(few)
  const ask = async (queries: readonly Query[], control: CsvExport) => {
    const { answer: refused } = await fresh.csv({ start: few.end, end: few.start }, first)
    const cases: AfterRefusal[] = []
    for (const query of isRefused(refused) ? queries : [])
      cases.push({ query, refused, found: await fresh.csv(query, first), control })
    return cases
  }
  return (await ask([{ end: few.end }, { start: few.start }], whole)).map((one) =>
    anew(one, async () => {
      const [again = { ...one, found: whole }] = await ask([one.query], whole)
      // Reset: a remembered range is replaced by the next accepted one.
      await fresh.csv(few, first)
      // Events may have been deleted meanwhile.
      return { ...again, control: await fresh.csv(one.query, first) }
    }),
  )
}

const countOf = ({ csv }: CsvExport): number => Math.min(csv?.count ?? 0, first.read)

/** It may not hold less than the range itself, as if the other bound of the rejected request still applied. */
function problemsOfRefusal({ query, refused, found, control }: AfterRefusal): Problem[] {
  const isRight = ![found, control].every(isUsable) || countOf(found) >= countOf(control)
  const finding = rowsFinding({
    wrong: 'number',
    what: 'right after a rejected export',
    place: placeOf(query),
    wanted: { least: countOf(control) },
    got: countOf(found),
    unit: 'record',
    isUnsteady: true,
  })
  const again = { why: 'it shows only right after a request that is rejected' }
  return problemUnless(isRight, finding, { judged: [refused, found], control, again })
}

export const problemsOfReordered = (one: Reordered | PlainAfter | AfterRefusal): Problem[] => {
  if ('seen' in one) return problemsOfMixing(one)
  return 'plain' in one ? problemsOfPlain(one) : problemsOfRefusal(one)
}
