// A file contains at least some events and at most others, in the requested form: one law for any request.

import { counted } from '../../../engine/counted.ts'
import { hour, readingsOf } from '../../../engine/files/dates.ts'
import { countEntries, countWritten } from '../../../engine/files/entries.ts'
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
import { statusFinding } from '../../../engine/findings/status.ts'
import type { Downloaded } from '../../../engine/http/client.ts'
import { from, type Origin } from '../../../engine/origin.ts'
import { type Decides, type Problem, problem, problemUnless } from '../../../engine/problem.ts'
import { isUuid } from '../../../engine/settings/parsers.ts'
import type { Encoding } from '../../contract/list-encodings.ts'
import type { FileType } from '../../contract/parameters.ts'
import { sentenceOf } from '../../findings/kinds.ts'
import { premise } from '../../service/answers.ts'
import { describeFilter, type Field, type Span } from '../ask/query.ts'
import type { KnownValue } from '../learn/filters.ts'
import { inZones, type TimeColumn, type Times } from '../learn/time-column.ts'
import { eventsAmong, rowsLike, type Window } from '../learn/window.ts'

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

export function describeRequest(request: Request): string {
  const { fileType = 'csv', timezone, locale, bounds, values, encoded } = request
  const filters = values.map((each) => {
    const [{ field }] = each as [KnownValue]
    const described = describeFilter(field, ...each.map(({ value }) => value))
    return encoded?.includes(field) ? `${described} (brackets encoded)` : described
  })
  const what = [fileType.toUpperCase(), filters.join(' and ')].filter(Boolean).join(' for ')
  const shown = Object.entries({ timezone, locale }).flatMap(([name, value]) =>
    value ? `${name}=${value}` : [],
  )
  const part =
    bounds && (bounds.start ? `from ${bounds.start} to ${bounds.end}` : 'without a range')
  return [what, shown.length > 0 && `with ${shown.join(' and ')}`, part].filter(Boolean).join(' ')
}

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
  const wanted = { ...bounds, ...(request.bounds ? {} : { all }), control }
  return problemsOfEvents(`the ${describeRequest(request)}`, eventsAmong(window, rows), wanted)
}

/** `all`: the events without the filters, if known. */
export function problemsOfEvents(
  what: string,
  found: Multiset,
  { least, most, all = found, control }: Bounds & { all?: Multiset; control?: Origin },
): Problem[] {
  const lost = minus(least, found)
  const missing = sizeOf(lost)
  const isThere = [...lost.keys()].every((row) => found.has(row))
  // The filter need not be wrong: events may also be missing without it, or lie outside the range.
  const unshown = minus(found, all)
  const unseen = sizeOf(unshown)
  const others = minus(found, most)
  const strange = sizeOf(others) - unseen
  const [wanted, came] = [sizeOf(least), sizeOf(found)]
  return [
    {
      count: missing,
      sentence: isThere
        ? `has ${missing} of ${eventsOf(wanted)} fewer times than expected`
        : `lacks ${missing} of ${eventsOf(wanted)}`,
      expected: eventsOf(wanted),
      got: eventsOf(wanted - missing),
      shown: isThere ? 'a row that comes too few times' : 'a missing event',
      rows: lost,
    },
    {
      count: strange,
      sentence: `has ${eventsOf(strange)} beside the ${came - strange} that belong there`,
      expected: eventsOf(came - strange),
      got: eventsOf(came),
      shown: 'an event that does not belong there',
      rows: minus(others, unshown),
    },
    {
      count: unseen,
      sentence: `has ${eventsOf(unseen)}, of ${came}, that the export of the same range without the filter lacks or has less often`,
      expected: eventsOf(came - unseen),
      got: eventsOf(came),
      shown: 'an event that is not there without the filter',
      rows: unshown,
    },
  ].flatMap(({ count, sentence, expected, got, shown, rows }) => {
    const decides = { [shown]: firstRowIn(rows) }
    const grounds = { expected, got, decides, judged: found, control }
    return problemUnless(count <= 0, `${what} ${sentence}`, grounds)
  })
}

const problemIn = (
  { request, rows, expected: { control } }: Asked,
  [what, which]: readonly [what: string, which: string],
  expected: string,
  got = what,
): Problem => {
  const sentence = `${what} in the ${describeRequest(request)}${which}`
  return problem(sentence, { expected, got, judged: rows, control })
}

export function problemsOfNumber(asked: Asked): Problem[] {
  const { window, rows = [], expected } = asked
  const all = multisetOf(expected.all, window.columns)
  const sizeAmong = (some: Multiset) => sizeOf(intersection(some, all))
  const counts = expected.readings.map(({ least, most }) => [sizeAmong(least), sizeAmong(most)])
  const size = sizeAmong(eventsAmong(window, rows))
  const isRight = counts.some(([least = 0, most = 0]) => least <= size && size <= most)
  const wanted = counts.map(describeCount).join(', or ')
  const which = `, not ${wanted}${expected.beside ?? ''}`
  return isRight ? [] : [problemIn(asked, [eventsOf(size), which], wanted)]
}

export function problemsOfMore(asked: Asked): Problem[] {
  const { window, rows = [], expected } = asked
  const [found, all] = [rowsLike(window, rows).length, expected.all.length]
  const which = `, but only ${all} without the filter`
  return found <= all
    ? []
    : [problemIn(asked, [eventsOf(found), which], `${eventsOf(all)} at most`)]
}

const describeCount = ([least = 0, most = 0]: number[]) =>
  least === most ? eventsOf(least) : `${least} to ${eventsOf(most)}`

/** no zone or language changes ids */
export function problemsOfIds(asked: Asked): Problem[] {
  const { window, rows = [], expected } = asked
  const [sure, possible] = rowsWithin(expected, window)
  const shown = rowsLike(window, rows)
  const apart = differing(window, shown, { sure, possible })
  if (apart === undefined) return []
  const open =
    'no column of ids tells events from lines about the file, which may differ in another time zone'
  premise(columnOfIds(window) !== undefined, 'freedom', open)
  const [count, isNumber] = [eventsOf(shown.length), apart === 'number']
  const which = isNumber ? `, not ${possible.length}` : ', but with other ids than expected'
  const got = isNumber ? count : 'events with other ids'
  return [problemIn(asked, [count, which], eventsOf(possible.length), got)]
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
  const sentence = ['the times', ' are those of the file without a time zone'] as const
  return [problemIn(asked, sentence, 'times in that time zone', column.textIn(first))]
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
  const strange = countWritten(text, others, identity)
  // Titles show times, events share times, and a short time may be a part of another; ids are sure.
  const isWhole = all.every((row) => wholeTime.test(searchedOf(row, identity)))
  const some = Math.min(others.length / 20, isWhole ? possible.length : Number.POSITIVE_INFINITY)
  const byChance = others.length === 0 || isOfIds(all, identity) ? 0 : 2 + some
  const of = eventsOf(possible.length)
  const problemsUnless = (holds: boolean, sentence: string, got: string, value?: string) =>
    problemUnless(holds, `the ${describeRequest(request)} ${sentence}`, {
      expected: of,
      got,
      judged: pdf,
      decides: decidesBy(possible, identity, value),
      control: from([], control, all),
    })
  const [lost, again] = [missing.length, repeated.length]
  const lacks = `lacks ${lost} of ${of}, such as ${missing[0]}`
  const shows = `has ${eventsOf(strange)} beside the ${possible.length} that belong there`
  const problems = [
    ...problemsUnless(lost === 0, lacks, eventsOf(possible.length - lost), missing[0]),
    ...problemsUnless(again <= byChance, `shows ${again} of ${of} more often`, 'more often'),
    ...problemsUnless(strange <= byChance, shows, `${strange} more`),
  ]
  const isShownOtherwise = Boolean(request.timezone || request.locale) && !isOfIds(all, identity)
  const first = problems[0] ? sentenceOf(problems[0].finding) : ''
  const open = `${first}; no id tells them apart, and the contract does not specify what a PDF shows of events`
  // No zone or language changes an id.
  premise(problems.length === 0 || !isShownOtherwise, 'freedom', open)
  return problems
}

export const eventsOf = (count: number): string => counted(count, 'event')
