// A file contains at least some events and at most others, in the requested form: one law for any request.

import { counted } from '../../../engine/counted.ts'
import { hour, readingsOf } from '../../../engine/files/dates.ts'
import { countEntries, writtenIn } from '../../../engine/files/entries.ts'
import { type Identity, isOfIds, searchedOf } from '../../../engine/files/identity.ts'
import {
  columnsOf,
  firstRowIn,
  intersection,
  type Multiset,
  minus,
  multisetOf,
  type Row,
  rowText,
  sizeOf,
} from '../../../engine/files/multiset.ts'
import type { PdfReading } from '../../../engine/files/pdf.ts'
import { cellFinding } from '../../../engine/findings/cell.ts'
import {
  describePlace,
  isWithin,
  type Place,
  type RowsFacts,
  rowsFinding,
  type Texts,
} from '../../../engine/findings/file-rows.ts'
import { statusFinding } from '../../../engine/findings/status.ts'
import type { Downloaded } from '../../../engine/http/client.ts'
import { from, type Origin } from '../../../engine/origin.ts'
import { type Decides, type Problem, problem, problemUnless } from '../../../engine/problem.ts'
import { isUuid } from '../../../engine/settings/parsers.ts'
import type { Encoding } from '../../contract/list-encodings.ts'
import { type FileType, metadataParameter } from '../../contract/parameters.ts'
import { type RowsEvidence, withExplanation } from '../../findings/explanations.ts'
import { sentenceOf } from '../../findings/kinds.ts'
import { premise } from '../../service/answers.ts'
import { idsOfChanged, idsOfOnly, maxIds, placeOf } from '../ask/places.ts'
import { type Field, filterBy, mergeQueries, type Span } from '../ask/query.ts'
import type { KnownValue } from '../learn/filters.ts'
import { inZones, type TimeColumn, type Times } from '../learn/time-column.ts'
import { eventsAmong, rowsLike, spanOf, type Window } from '../learn/window.ts'
import { extraRows, type KnownOfRows, kindsIn, missingRows, rowsIn } from './row-evidence.ts'

export type Request = {
  /** several values of one field are grouped */
  values: readonly (readonly KnownValue[])[]
  fileType?: FileType
  timezone?: string | undefined
  locale?: string | undefined
  /** default: those of the window; without members: none */
  bounds?: Partial<Span> | undefined
  /** metadata keys whose brackets are percent-encoded */
  encoded?: readonly Field[]
  encoding?: Encoding | undefined
}

function placeOfRequest(request: Request): Place {
  const { fileType = 'csv', timezone, locale, bounds, values, encoded = [] } = request
  const filters = values.map((each) => {
    const [{ field }] = each as [KnownValue]
    return filterBy(field, ...each.map(({ value }) => value))
  })
  const place = placeOf(mergeQueries(...filters, { timezone, locale }), fileType)
  const named = Object.entries(place.filters ?? {}).map(([name, all]) => [
    encoded.some((field) => name === metadataParameter(field)) ? encodedBrackets(name) : name,
    all,
  ])
  return {
    ...place,
    ...(named.length > 0 ? { filters: Object.fromEntries(named) } : {}),
    ...(bounds ? { range: bounds } : {}),
  }
}

const encodedBrackets = (name: string): string => name.replace('[', '%5B').replace(']', '%5D')

export const describeRequest = (request: Request): string => describePlace(placeOfRequest(request))

export type Bounds = { least: Multiset; most: Multiset }

export type Expected = {
  /** by each reading of the contract; the first is the usual one */
  readings: readonly Bounds[]
  /** the events of its range without its filters, and all events of the window */
  range: string[][]
  all: string[][]
  control: Origin
  mayBeRefused?: boolean
  beside?: string
}

export type Asked = {
  request: Request
  window: Window
  expected: Expected
  refused?: Downloaded
  given?: Origin
  rows?: string[][]
  pdf?: PdfReading
  identity?: Identity | undefined
  /** a column that shows times, which vary with the zone */
  timeColumn?: TimeColumn | undefined
}

type Aspect = (asked: Asked) => readonly Problem[]

export const problemsOfFile =
  (...aspects: readonly Aspect[]) =>
  (asked: Asked): readonly Problem[] => {
    if (asked.refused) return problemsOfRefusal(asked.refused, asked)
    for (const aspect of aspects) {
      const problems = aspect(asked)
      if (problems.length > 0) return problems
    }
    return []
  }

function problemsOfRefusal(answer: Downloaded, { expected, given }: Asked): Problem[] {
  if (expected.mayBeRefused) return []
  const although = given ? 'the CSV is accepted' : 'each value is accepted alone'
  const finding = statusFinding(answer, '2xx', { although })
  return [problem(finding, { judged: answer, control: given ?? expected.control })]
}

/** Events are compared by their cells, in a zone or language by number and ids, in a PDF by their identity. */
export function problemsOfEventsShown(asked: Asked): readonly Problem[] {
  const { request, window, rows = [], pdf, expected } = asked
  if (pdf) return problemsOfEntries(pdf, asked)
  // A zone or a language writes cells otherwise.
  if (request.timezone || request.locale) return problemsOfIds(asked)
  const [bounds] = expected.readings as [Bounds]
  const { control } = expected
  const all = eventsAmong(window, expected.all)
  const wanted = {
    ...bounds,
    ...(request.bounds ? {} : { all }),
    control,
    known: knownOf(asked),
  }
  return problemsOfEvents(placeOfRequest(request), eventsAmong(window, rows), wanted)
}

/** What is known of the events of a file, beside those that it has. */
function knownOf({ request, window, expected }: Asked): KnownOfRows {
  const { bounds = spanOf(window), values } = request
  const isFiltered = values.length > 0
  const withoutFilter = isFiltered ? rowsIn(eventsAmong(window, expected.range)) : undefined
  return { range: bounds, withoutFilter, kinds: kindsIn(window) }
}

type Wanted = Bounds & {
  /** the events without the filters, if known */
  all?: Multiset
  control?: Origin
  /** the file that has the wanted events */
  beside?: Place
  /** what precedes the sentence */
  what?: string
  known?: KnownOfRows
}

export const problemsOfEvents = (place: Place, found: Multiset, wanted: Wanted): Problem[] => [
  ...problemsOfMissing(place, found, wanted),
  ...problemsOfOthers(place, found, wanted),
]

function problemsOfMissing(place: Place, found: Multiset, wanted: Wanted): Problem[] {
  const { least, control, what, beside, known } = wanted
  const missing = minus(least, found)
  if (missing.size === 0) return []
  const isThere = [...missing.keys()].every((row) => found.has(row))
  const fact = rowsFinding({
    wrong: isThere ? 'fewer' : 'missing',
    ...{ what, place, beside },
    ...numbersOf(found, wanted),
    count: sizeOf(missing),
    texts: textsOfMissing(missing, found),
  })
  const finding = withExplanation(fact, missingRows(missing, least, known))
  const shown = isThere ? 'a row that comes too few times' : 'a missing event'
  return [problem(finding, { judged: found, control, decides: { [shown]: firstRowIn(missing) } })]
}

/** A script looks for the ids of events, or else compares the rows of those that show other cells. */
function textsOfMissing(missing: Multiset, found: Multiset): Texts {
  const present = idsOfOnly(missing, found)
  return present.length > 0 ? { present } : { changed: idsOfChanged(missing, found) }
}

function textsOfOthers(others: Multiset, right: Multiset): Texts {
  const absent = idsOfOnly(others, right)
  return absent.length > 0 ? { absent } : { changed: idsOfChanged(others, right) }
}

/** The filter need not be wrong: events may also be missing without it, or lie outside the range. */
function problemsOfOthers(place: Place, found: Multiset, wanted: Wanted): Problem[] {
  const { most, all = found, control, what, beside, known } = wanted
  const unfiltered = minus(found, all)
  const others = minus(found, most)
  const strange = minus(others, unfiltered)
  const facts = { what, place, beside, ...numbersOf(found, wanted) }
  const grounds = { judged: found, control }
  const problems: Problem[] = []
  const count = sizeOf(others) - sizeOf(unfiltered)
  if (count > 0) {
    const texts = textsOfOthers(strange, most)
    const decides = { 'an event that does not belong there': firstRowIn(strange) }
    const fact = rowsFinding({ wrong: 'strange', ...facts, count, texts })
    const more = unfiltered.size > 0 ? { withoutFilter: undefined } : {}
    const beside = extraRows(strange, minus(found, unfiltered), { ...known, ...more })
    const finding = withExplanation(fact, beside)
    problems.push(problem(finding, { ...grounds, decides }))
  }
  if (unfiltered.size > 0) {
    const texts = textsOfOthers(unfiltered, all)
    const decides = { 'an event that is not there without the filter': firstRowIn(unfiltered) }
    const more = { count: sizeOf(unfiltered), texts }
    const fact = rowsFinding({ wrong: 'unfiltered', ...facts, ...more })
    const finding = withExplanation(fact, extraRows(unfiltered, minus(found, strange), known))
    problems.push(problem(finding, { ...grounds, decides }))
  }
  return problems
}

const numbersOf = (found: Multiset, { least, most }: Bounds) => ({
  wanted: { least: sizeOf(least), most: sizeOf(most) },
  got: sizeOf(found),
})

const problemIn = (
  { request, rows, expected: { control } }: Asked,
  facts: Omit<RowsFacts, 'place'>,
  evidence: readonly RowsEvidence[] = [],
): Problem => {
  const finding = rowsFinding({ place: placeOfRequest(request), ...facts })
  return problem(withExplanation(finding, ...evidence), { judged: rows, control })
}

export function problemsOfNumber(asked: Asked): Problem[] {
  const { window, rows = [], expected } = asked
  const all = multisetOf(expected.all, window.columns)
  const sizeAmong = (some: Multiset) => sizeOf(intersection(some, all))
  const [wanted = {}, ...readings] = expected.readings.map(({ least, most }) => ({
    least: sizeAmong(least),
    most: sizeAmong(most),
  }))
  const found = eventsAmong(window, rows)
  const got = sizeAmong(found)
  if ([wanted, ...readings].some((count) => isWithin(got, count))) return []
  const texts = textsOfNumber(found, expected.readings)
  const facts = { wrong: 'number', wanted, readings, got, to: expected.beside, texts } as const
  return [problemIn(asked, facts, evidenceOfNumber(asked))]
}

/** Only where the file has too many events and lacks none, or the other way round, by the usual reading. */
function evidenceOfNumber(asked: Asked): RowsEvidence[] {
  const { window, rows = [], expected } = asked
  const { least, most } = expected.readings[0] as Bounds
  const found = eventsAmong(window, rows)
  const extra = minus(found, most)
  const missing = minus(least, found)
  const known = knownOf(asked)
  if (missing.size === 0) return [extraRows(extra, found, known)]
  return extra.size === 0 ? [missingRows(missing, least, known)] : []
}

/** What the file lacks by all readings, and what it has beyond all of them. */
function textsOfNumber(found: Multiset, readings: readonly Bounds[]): Texts {
  const least = readings.map((bounds) => bounds.least).reduce(intersection)
  const beyond = readings.reduce((left, { most }) => minus(left, most), found)
  const most = readings.map((bounds) => bounds.most)
  const isPossible = (id: string) => most.some((events) => [...events.keys()].join().includes(id))
  return {
    present: idsOfOnly(minus(least, found), found),
    absent: idsOfOnly(beyond, nothing).filter((id) => !isPossible(id)),
  }
}

const nothing: Multiset = new Map()

export function problemsOfMore(asked: Asked): Problem[] {
  const { window, rows = [], expected } = asked
  const got = rowsLike(window, rows).length
  const wanted = { most: expected.all.length }
  if (isWithin(got, wanted)) return []
  const shown = multisetOf(rows, columnsOf(rows))
  const texts = { absent: idsOfOnly(shown, multisetOf(expected.all, columnsOf(expected.all))) }
  const to = 'the number without the filter'
  return [problemIn(asked, { wrong: 'number', wanted, got, to, texts })]
}

/** no zone or language changes ids */
export function problemsOfIds(asked: Asked): Problem[] {
  const { window, rows = [], expected } = asked
  const [sure, possible] = rowsWithin(expected, window)
  const shown = rowsLike(window, rows)
  const apart = differing(window, shown, { sure, possible })
  if (apart === undefined) return []
  const open =
    'no column of ids tells events from lines about the file, which may differ in another time zone'
  const column = columnOfIds(window)
  premise(column !== undefined, 'freedom', open)
  const ids = multisetOf(sure, column === undefined ? [] : [column])
  const facts = {
    wanted: { least: sure.length, most: possible.length },
    got: shown.length,
    texts: {
      present: idsOfOnly(ids, multisetOf(shown, columnsOf(shown))),
      absent: idsOfOnly(
        multisetOf(shown, columnsOf(shown)),
        multisetOf(possible, columnsOf(possible)),
      ),
    },
  }
  if (apart === 'ids') return [problemIn(asked, { wrong: 'others', ...facts })]
  return [problemIn(asked, { wrong: 'number', ...facts, to: describeSource(asked) })]
}

function describeSource({ request, expected: { beside } }: Asked): string {
  const { timezone, locale } = request
  const names = [...(timezone ? ['timezone'] : []), ...(locale ? ['locale'] : [])]
  return beside ?? `the number without ${names.join(' and ')}`
}

export function differing(
  window: Window,
  shown: string[][],
  { sure, possible }: { sure: string[][]; possible: string[][] },
): 'number' | 'ids' | undefined {
  if (shown.length < sure.length || shown.length > possible.length) return 'number'
  const column = columnOfIds(window)
  if (column === undefined || possible.length === 0) return undefined
  const [least, most] = [multisetOf(sure, [column]), multisetOf(possible, [column])]
  const areIds = (each: number) => {
    const found = multisetOf(shown, [each])
    return sizeOf(minus(least, found)) === 0 && sizeOf(minus(found, most)) === 0
  }
  return columnsOf(shown).some(areIds) ? undefined : 'ids'
}

function columnOfIds({ rows, columns }: Window): number | undefined {
  const different = (column: number) => new Set(rows.map((row) => row[column])).size
  const ids = columns.filter((column) => rows.every((row) => isUuid(row[column] ?? '')))
  const [best] = ids.sort((a, b) => different(b) - different(a))
  return best !== undefined && different(best) * 2 > rows.length ? best : undefined
}

export function problemsOfUnzonedTimes(asked: Asked): Problem[] {
  const { request, window, rows, expected, timeColumn: column } = asked
  if (!rows || !column || !request.timezone) return []
  const [, plain] = rowsWithin(expected, window)
  const shown = rowsLike(window, rows)
  const [first] = shown
  if (!first || !hasSameTimes(column, plain, shown)) return []
  const got = 'the file without a time zone'
  const facts = { place: placeOfRequest(request) }
  const finding = cellFinding(facts, { wrong: 'zone', zone: request.timezone, got })
  return [problem(finding, { judged: rows, control: expected.control })]
}

/** The column by whose times a file in a zone differs; most events have the same day in two zones. */
export const zonedColumn = (times: Times, plain: string[][], inZone: string[][]) =>
  inZones(times).columns.find(
    (column) => column.unit < hour && !column.isNumber && !hasSameTimes(column, plain, inZone),
  )

/** Languages write dates differently: compare the clock. */
function hasSameTimes({ textIn }: TimeColumn, one: string[][], other: string[][]): boolean {
  const clocksOf = (rows: string[][]) =>
    readingsOf(rows.map(textIn)).map(({ dates }) => `${dates.map(({ wall }) => wall).sort()}`)
  const clocks = clocksOf(one)
  return clocksOf(other).some((each) => clocks.includes(each))
}

function rowsWithin({ readings: [bounds], range }: Expected, { columns }: Window) {
  const rowsOf = (events: Multiset) => {
    const left = new Map(events)
    return range.filter((row) => {
      const [event = ''] = multisetOf([row], columns).keys()
      const count = left.get(event) ?? 0
      left.set(event, count - 1)
      return count > 0
    })
  }
  const { least, most } = bounds as Bounds
  return [rowsOf(least), rowsOf(most)] as const
}

/** A time that is not a part of another one: all numbers have all digits. */
const wholeTime = /^\d{4}-\d\d-\d\d\D?\d\d:\d\d:\d\d/

function decidesBy(rows: readonly Row[], identity: Identity, value: string | undefined): Decides {
  const row = rows.find((each) => searchedOf(each, identity) === value)
  const named = row?.map((cell, at) => {
    const title = identity.titles?.[at]
    return cell && title ? `${title}: ${cell}` : cell
  })
  return named ? { 'the event, as the CSV has it': rowText(named) } : {}
}

function problemsOfEntries(pdf: PdfReading, { request, window, expected, identity }: Asked) {
  if (!identity) throw new Error('a PDF is judged by what tells its events apart')
  const { text = [] } = pdf
  const { all, control } = expected
  const [sure, possible] = rowsWithin(expected, window)
  const isPossible = new Set(possible.map((row) => searchedOf(row, identity)))
  const others = all.filter((row) => !isPossible.has(searchedOf(row, identity)))
  const { missing } = countEntries(text, sure, identity)
  const { repeated } = countEntries(text, possible, identity)
  const { count: strange, values } = writtenIn(text, others, identity)
  // Titles show times, events share times, and a short time may be a part of another; ids are sure.
  const isWhole = all.every((row) => wholeTime.test(searchedOf(row, identity)))
  const some = Math.min(others.length / 20, isWhole ? possible.length : Number.POSITIVE_INFINITY)
  const byChance = others.length === 0 || isOfIds(all, identity) ? 0 : 2 + some
  const got = sure.length - missing.length + strange
  const wanted = { least: sure.length, most: possible.length }
  const place = placeOfRequest(request)
  const grounds = { judged: pdf, control: from([], control, all) }
  const textsOf = (found: string[]) => (isOfIds(all, identity) ? found.slice(0, maxIds) : [])
  const beside = besideEntries({ missing, values }, { sure, others, request, window, identity })
  const ofMissing = rowsFinding({
    wrong: 'missing',
    ...{ place, wanted, got, count: missing.length },
    first: missing.slice(0, 1),
    texts: { present: textsOf(missing) },
  })
  const ofRepeated = rowsFinding({
    wrong: 'repeated',
    ...{ place, wanted, got, count: repeated.length },
    texts: { once: textsOf(repeated) },
  })
  const ofStrange = rowsFinding({
    wrong: 'strange',
    ...{ place, wanted, got, count: strange },
    texts: { absent: textsOf(values) },
  })
  const problems = [
    ...problemUnless(missing.length === 0, withExplanation(ofMissing, beside.missing), {
      ...grounds,
      decides: decidesBy(possible, identity, missing[0]),
    }),
    ...problemUnless(repeated.length <= byChance, ofRepeated, grounds),
    ...problemUnless(strange <= byChance, withExplanation(ofStrange, beside.strange), grounds),
  ]
  const isShownOtherwise = Boolean(request.timezone || request.locale) && !isOfIds(all, identity)
  const first = problems[0] ? sentenceOf(problems[0].finding) : ''
  const open = `${first}; no id tells them apart, and the contract does not specify what a PDF shows of events`
  // No zone or language changes an id.
  premise(problems.length === 0 || !isShownOtherwise, 'freedom', open)
  return problems
}

type Entries = { missing: readonly string[]; values: readonly string[] }

type OfPdf = Pick<Asked, 'request' | 'window'> & {
  sure: string[][]
  others: string[][]
  identity: Identity
}

/** The rows of the CSV whose entries a PDF lacks, or has without reason. */
function besideEntries(
  { missing, values }: Entries,
  { sure, others, request, window, identity }: OfPdf,
): Record<'missing' | 'strange', RowsEvidence> {
  const isOf = (texts: readonly string[]) => {
    const all = new Set(texts)
    return (row: string[]) => all.has(searchedOf(row, identity))
  }
  const isMissing = isOf(missing)
  const isStrange = isOf(values)
  const right = sure.filter((row) => !isMissing(row))
  // Times may stand there by chance.
  const extra = isOfIds(window.rows, identity) ? others.filter(isStrange) : []
  const { bounds = spanOf(window), values: filters } = request
  const kinds = kindsIn({ ...window, columns: columnsOf(window.rows) })
  const known = { range: bounds, kinds, inOrder: sure }
  const withoutFilter = filters.length > 0 && !request.bounds ? window.rows : undefined
  return {
    missing: { rows: 'missing', wrong: sure.filter(isMissing), right, ...known },
    strange: { rows: 'extra', wrong: extra, right, ...known, withoutFilter },
  }
}

export const eventsOf = (count: number): string => counted(count, 'event')
