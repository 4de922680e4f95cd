// A range is a predicate on events: parts add up to the whole, nothing outside is included, and a range
// without events holds none.

import { inTurn } from '../../../engine/clause/law.ts'
import { counted } from '../../../engine/counted.ts'
import { distinct } from '../../../engine/distinct.ts'
import { day, hour, instantAt, isoOf, second } from '../../../engine/files/dates.ts'
import { firstRowIn, minus, multisetOf, rowText, sizeOf } from '../../../engine/files/multiset.ts'
import { describeAnswer, isAccepted } from '../../../engine/http/answers.ts'
import type { Downloaded } from '../../../engine/http/client.ts'
import { from } from '../../../engine/origin.ts'
import { NotDecidable } from '../../../engine/outcome.ts'
import { type Decides, type Problem, problem, problemUnless } from '../../../engine/problem.ts'
import type { Faker } from '../../../engine/random.ts'
import { premise } from '../../service/answers.ts'
import { needDecidable } from '../ask/decidable.ts'
import {
  type CsvExport,
  type Exports,
  isUsable,
  needCsv,
  needExport,
  needPdf,
} from '../ask/exports.ts'
import type { PdfExport } from '../ask/pdf-export.ts'
import type { Query, Span } from '../ask/query.ts'
import { findAroundLimit } from '../learn/around-limit.ts'
import { ask, askOnce, type Dialogue, type Fetch, gathered } from '../learn/confirmed.ts'
import { type Ranges, unlessUndecided } from '../learn/ranges.ts'
import { farPast, noEvents, notYet } from '../learn/spans.ts'
import { dateColumns, rowsWithin, sorted, straysAmong, type Times } from '../learn/time-column.ts'
import { rowsLike, rowsSeen, spanOf, type Window } from '../learn/window.ts'
import type { Look } from './bounds.ts'
import { eventsOf } from './file.ts'
import { askFiles, type Files, type Predict } from './predict.ts'

/** Two parts of a range, which share a bound, or leave out what lies between them. */
type Parts = { whole: Span; first: Span; second: Span }

export const cutAt = ({ start, end }: Span, until: string, from = until): Parts => ({
  whole: { start, end },
  first: { start, end: until },
  second: { start: from, end },
})

/** Both bounds are inclusive, so events at a shared bound are in both parts. */
const isShared = ({ first, second }: Parts) => first.end === second.start

/** Parts an hour apart, as minutes may be compared; if possible around a midnight, which may be read as a day. */
export function hourApart(window: Window, cut: string): Parts[] {
  const time = instantAt(cut)
  const midnight = time - (time % day)
  const [start, end] = [instantAt(window.start), instantAt(window.end)]
  const until = midnight > start && midnight + hour <= time ? midnight : time - hour / 2n
  const from = until + hour
  // A range of one instant may be refused.
  return until > start && from < end ? [cutAt(window, isoOf(until), isoOf(from))] : []
}

/** The events of a whole, which may be larger than the window, and of its parts. */
async function fetchCut(fetch: Fetch, window: Window, parts: Parts) {
  const [whole, until] = [await fetch(parts.whole), await fetch(parts.first)]
  const cut = { parts, window, whole, until, from: await fetch(parts.second) }
  return from(cut, whole, until, cut.from)
}

type Cut = Awaited<ReturnType<typeof fetchCut>>
export type Cuts = { cuts: (Cut & { twice: string[][] | undefined })[] }

export const askCut = (exports: Exports, window: Window, parts: Parts) =>
  gathered(exports, { ...window, ...parts.whole }, (fetch) => fetchCut(fetch, window, parts))

/** With the events of each bound that two parts share, as far as ranges of one instant are accepted. */
export const askCuts = (exports: Exports, window: Window, all: readonly Parts[]) =>
  gathered(exports, window, async (fetch, port): Promise<Cuts> => {
    const cuts: Cuts['cuts'] = []
    for (const parts of all) {
      const instant = { start: parts.first.end, end: parts.second.start }
      const asked = isShared(parts) && (await port.csv(instant).catch(unlessUndecided))
      const twice = asked && isAccepted(asked.answer) ? await fetch(instant) : undefined
      cuts.push({ ...(await fetchCut(fetch, window, parts)), twice })
    }
    return from({ cuts }, ...cuts.flatMap(({ whole, until, from }) => [whole, until, from]))
  })

const boundsOf = ({ first, second }: Parts): Decides => ({
  'range_end of one part': first.end,
  'range_start of the other': second.start,
})

/** Parts have to hold as many events as the whole, plus those in both. */
export const problemsOfCounts = ({ cuts }: Cuts): Problem[] =>
  cuts.flatMap(({ parts, whole, until, from, twice }) => {
    const isOpen = isShared(parts) && !twice
    const [sum, wanted] = [until.length + from.length, whole.length + (twice?.length ?? 0)]
    const isRight = sum === wanted || (sum > wanted ? isOpen : !isShared(parts))
    const at = twice ? `, and ${twice.length} at that time` : ''
    const sentence = `${eventsOf(until.length)} up to ${parts.first.end} and ${from.length} from ${parts.second.start} on, but ${whole.length} in the whole range${at}`
    return problemUnless(isRight, sentence, {
      expected: `${wanted} events${twice ? '' : isOpen ? ' or more' : ' at most'}`,
      got: eventsOf(sum),
      judged: [until, from],
      control: [whole, twice],
      decides: boundsOf(parts),
    })
  })

export function problemsOfCut({ parts, window, whole, until, from }: Cut) {
  const setOf = (rows: string[][]) => multisetOf(rowsLike(window, rows), window.columns)
  const inWhole = setOf(whole)
  const lost = isShared(parts) ? minus(inWhole, setOf([...until, ...from])) : new Map()
  // An event at the shared bound is in both.
  const more = sizeOf(minus(setOf(until), inWhole)) + sizeOf(minus(setOf(from), inWhole))
  const { start, end } = parts.whole
  const range = `the whole range from ${start} to ${end}`
  const both = `the parts up to ${parts.first.end} and from ${parts.second.start} on`
  const problemsIf = (count: number, sentence: string, got: string, decides: Decides = {}) =>
    problemUnless(count === 0, sentence, {
      ...{ expected: 'the same events', got, judged: whole, control: [until, from] },
      decides: { ...boundsOf(parts), ...decides },
      again: {
        why: 'the rows of three files have to be compared, past columns that change from file to file',
      },
    })
  const less = sizeOf(lost)
  const inNone = { 'an event in no part': firstRowIn(lost) }
  return [
    ...problemsIf(less, `${range} has ${eventsOf(less)} that ${both} lack`, `${less} more`, inNone),
    ...problemsIf(more, `${both} have ${eventsOf(more)} that ${range} lacks`, `${more} fewer`),
  ]
}

const unknownZone =
  'the file does not show the time zone of its times; the contract does not specify the default time zone'

/** By more than rounding explains. */
export function* problemsOfRangeRows({ window, times, column }: Look): Dialogue<Problem[]> {
  if (!column.inUtc) throw new NotDecidable('freedom', unknownZone)
  const { unit } = column
  const rowsOf = (span: Span) =>
    ask(async ({ fetch }) => rowsLike(window, await fetch({ ...times.utc, ...span })))
  const sorted = distinct(column.times)
  const middle = sorted[(sorted.length - 1) >> 1] ?? 0n
  // If ranges use another time than the file shows, look further around.
  const near = 2n * (unit > second ? unit : second)
  const around = { start: isoOf(middle - near), end: isoOf(middle + near) }
  const isSame = (yield* rowsOf(around)).length > 0
  const slack = isSame ? unit : 0n
  const shares = [
    [0.1, 0.2],
    [0.45, 0.5],
    [0.8, 0.9],
  ] as const
  const spans = shares.flatMap((share) => spanBetween(sorted, share, slack))
  if (isSame) spans.push(daysOfNewYear(window), ...midnightBefore(window))
  const problems: Problem[] = []
  for (const span of spans) {
    const rows = yield* rowsOf(span)
    problems.push(...problemsOfStrays(rows, straysAmong(column, rows, span, unit - 1n), span))
  }
  return problems
}

/** A range that starts right behind an event and ends right before one, if there is one. */
function spanBetween(
  sorted: readonly bigint[],
  [from, to]: readonly [number, number],
  slack: bigint,
): Span[] {
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0n
  const [start, end] = [at(from) + slack, at(to) - slack]
  return start < end ? [{ start: isoOf(start), end: isoOf(end) }] : []
}

/** Up to a midnight that may be read as its whole day, within the window. */
function midnightBefore({ start, end }: Window): Span[] {
  const midnight = instantAt(start) - (instantAt(start) % day)
  return instantAt(end) < midnight + day
    ? [{ start: isoOf(midnight - second), end: isoOf(midnight) }]
    : []
}

function daysOfNewYear({ start }: Window): Span {
  const year = Number(start.slice(0, 4))
  return { start: `${year - 1}-12-28T00:00:00.000Z`, end: `${year}-01-04T23:59:59.999Z` }
}

/** A part of the window for a PDF: bounds read as whole seconds, hours or days would include other events. */
export async function betweenEvents(ranges: Ranges): Promise<Span> {
  const [column] = (await ranges.times().catch(unlessUndecided))?.columns ?? []
  const sorted = distinct(column?.times ?? [])
  const slack = 2n * (column?.unit ?? 0n)
  const spans = [0.5, 0.6, 0.9].flatMap((to) => spanBetween(sorted, [0.4, to], slack))
  const cuts = await ranges.cuts()
  return spans[0] ?? { start: cuts[0] ?? '', end: cuts.at(-1) ?? '' }
}

export async function partsToCompare(ranges: Ranges, pdfLimit: number): Promise<Parts[]> {
  const { exports } = ranges
  const window = await ranges.window()
  const times = await ranges.times().catch(unlessUndecided)
  const large = await exports
    .once('stretches around the PDF limit', (inner) => findAroundLimit(inner, window, pdfLimit))
    .catch(unlessUndecided)
  // If there are fewer events than the limit: all of them.
  const whole = large?.at ?? { start: farPast, end: window.end }
  const { csv } = large ? {} : await exports.csv(whole)
  const shown = rowsSeen(window, csv).flatMap((row) => times?.columns[0].timeIn(row) ?? [])
  const middle = sorted(shown)[Math.floor(shown.length * 0.4)]
  const cut = large?.half.end ?? (middle === undefined ? undefined : isoOf(middle))
  return [
    ...(await ranges.cuts()).map((cut) => cutAt(window, cut)),
    ...(times ? besideHardRow(window, times) : []),
    ...(cut === undefined ? [] : [cutAt(whole, cut)]),
  ]
}

/** Parts right beside a row with a line break, and beside one with quotes: who misreads it loses the next. */
function besideHardRow({ start, end }: Window, times: Times): Parts[] {
  const [column] = times.columns
  const places = [/[\r\n]/, /"/].map((hard) =>
    times.rows.findIndex((row, at) => at > 0 && row.some((cell) => hard.test(cell))),
  )
  return distinct(places.filter((at) => at !== -1)).flatMap((at) => {
    const time = column.times[at]
    if (time === undefined) return []
    const [before, behind] = [isoOf(time - column.unit), isoOf(time + column.unit)]
    if (instantAt(before) <= instantAt(start) || instantAt(behind) >= instantAt(end)) return []
    return [cutAt({ start, end }, before, behind)]
  })
}

/** Ranges around one and two isolated events, so that rounding of times does not matter. */
function needFew({ columns: [column] }: Times): Span[] {
  const all = sorted(distinct(column.times))
  const often = new Set(column.times.filter((time, at, times) => times.indexOf(time) !== at))
  const apart = 4n * column.unit
  const isAlone = (at: number) => {
    const [before, time = 0n, behind] = [all[at - 1], all[at], all[at + 1]]
    if (before === undefined || behind === undefined || often.has(time)) return false
    return time - before > apart && behind - time > apart
  }
  const middle = all.length >> 1
  const at = all.findIndex((_, n) => n >= middle && isAlone(n) && isAlone(n + 1))
  const none =
    'no two consecutive events are far enough from other events; this check needs such events'
  premise(at !== -1, 'data', none)
  const [first = 0n, second = 0n] = all.slice(at)
  const start = isoOf(first - column.unit)
  return [first, second].map((last) => ({ start, end: isoOf(last + column.unit) }))
}

const otherTimes =
  'ranges do not use the times that the file shows; the contract does not say which time of an event a file shows'

/**
 * The events of the whole whose times lie in the range. If a file is suspected, ranges have to go by these times: a
 * longer one that starts just before the first of these events includes it, and one just behind it does not.
 */
const byTimes =
  (times: Times, isSuspected: boolean): Predict =>
  async ({ bounds }, { window, fetch }) => {
    const span = { ...spanOf(window), ...bounds }
    const all = await fetch({ ...times.utc, ...spanOf(window) })
    const rows = rowsWithin(all, times, span)
    const [{ unit, textIn, timeIn }] = times.columns
    const [first] = rows.toSorted((a, b) => Number((timeIn(a) ?? 0n) - (timeIn(b) ?? 0n)))
    const isInFrom = async (start: string) =>
      (await fetch({ ...times.utc, start, end: window.end })).some(
        (row) => textIn(row) === textIn(first ?? []),
      )
    const behind = isoOf(instantAt(span.start) + 3n * unit)
    const isByTimes = !isSuspected || ((await isInFrom(span.start)) && !(await isInFrom(behind)))
    premise(isByTimes, 'freedom', otherTimes)
    const events = multisetOf(rows, window.columns)
    return { readings: [{ least: events, most: events }], range: rows, all, control: all }
  }

/** Files of few events, in the zone in which their times are known. */
export function askFew(files: Files, times: Times, fileType: 'csv' | 'pdf') {
  const { timezone } = times.utc
  const requests = needFew(times).map((bounds) => ({ values: [], fileType, bounds, timezone }))
  return askFiles(files, requests, byTimes(times, false), byTimes(times, true))
}

/** Files without events may differ by a line or two, such as one that names the filter. */
const maxLinesApart = 10
/** The lines around the events of a file are never this many. */
const maxFrameLines = 300
const rangesWithoutEvents = (exports: Exports): Span[] => [noEvents, notYet(exports)]

/** No file of these ranges and filters should hold an event. */
export const askEmptyRanges = (exports: Exports, random: Faker) =>
  askOnce(exports, async (port): Promise<EmptyRanges> => {
    const tag = `none-${random.string.alphanumeric(12).toLowerCase()}`
    const filters = [{ filters: { auditee_id: [random.string.uuid()] } }, { metadata: { tag } }]
    const files: CsvExport[] = []
    const spans = rangesWithoutEvents(exports)
    for (const query of [...spans, ...filters])
      files.push(await port.csv(query, { read: maxFrameLines }))
    const [found, filtered] = [files.slice(0, spans.length), files.slice(spans.length)]
    if (!found.some(isUsable)) needCsv(found[0] as CsvExport)
    return { spans, found, filtered }
  })

export type EmptyRanges = { spans: Span[]; found: CsvExport[]; filtered: CsvExport[] }

export function problemsOfEmptyRanges({ spans, found, filtered }: EmptyRanges): Problem[] {
  const frame = Math.min(...[...found, ...filtered].filter(isUsable).map(countOf))
  const all = found.flatMap((file, at) => {
    const count = isUsable(file) ? countOf(file) : 0
    const came = `${counted(count, 'record')}${count < maxFrameLines ? '' : ' or more'}`
    const sentence = `${came} in the file for one second of the year ${spans[at]?.start.slice(0, 4)}, but ${frame} in another file without events`
    return problemUnless(count <= frame + maxLinesApart && count < maxFrameLines, sentence, {
      expected: `${counted(frame, 'record')}, as in another file without events`,
      got: came,
      ...{ judged: file, control: filtered },
    })
  })
  const open = `every file has ${frame} records or more, even a file of a time without events; the contract does not say which lines of a file are events`
  premise(all.length > 0 || frame <= maxLinesApart, 'freedom', open)
  return all
}

const countOf = ({ csv }: CsvExport): number => csv?.count ?? 0

function problemsOfStrays(rows: string[][], strays: readonly string[][], { start, end }: Span) {
  const got = `${counted(strays.length, 'row')} with a time outside the range`
  const sentence = `the file from ${start} to ${end} has ${got}, of ${rows.length}`
  return problemUnless(strays.length === 0, sentence, {
    expected: `times from ${start} to ${end}`,
    got,
    judged: rows,
    decides: { 'an event of another time': rowText(strays[0] ?? []) },
  })
}

export function* problemsOfEmptyRangeDates(exports: Exports): Dialogue<Problem[]> {
  const problems: Problem[] = []
  for (const range of yield* ask(async () => rangesWithoutEvents(exports))) {
    const { csv } = yield* ask(({ port }) => port.csv(range, { read: maxFrameLines }))
    const rows = from((csv?.records ?? []).slice(1), csv?.records)
    const [column] = dateColumns(rows)
    const at = instantAt(range.start)
    const isNear = (time: bigint) => time > at - 2n * day && time < at + 2n * day
    // Lines before the events may also name the range.
    if (column && rows.length > 2 && !column.times.some(isNear))
      problems.push(...problemsOfStrays(rows, rows, range))
  }
  return problems
}

type EmptyPdf = {
  range: Span
  none: PdfExport
  filtered?: Downloaded
  beside?: { some: PdfExport; rows: number; sizes: [none: PdfSize, some: PdfSize] }
}
type PdfSize = { pages: number; letters: number }

export function askEmptyPdfs(exports: Exports, window: Window, random: Faker) {
  const filter: Query = { filters: { auditee_id: [random.string.uuid()] } }
  return inTurn(rangesWithoutEvents(exports), (range) =>
    askOnce(exports, async (port): Promise<EmptyPdf> => {
      const none = await port.pdf(range)
      if (none.answer.status === 400)
        return { range, none, filtered: (await port.pdf({ ...range, ...filter })).answer }
      // Another clause judges whether a file without a byte is a PDF.
      if (none.bytes?.length === 0) return { range, none }
      const some = await port.pdf(spanOf(window))
      const sizes: [PdfSize, PdfSize] = [await fetchSize(none), await fetchSize(some)]
      return { range, none, beside: { some, rows: window.rows.length, sizes } }
    }),
  )
}

async function fetchSize(file: PdfExport): Promise<PdfSize> {
  needExport(file)
  const { pages, text = [] } = await needPdf(file, { text: true })
  return { pages, letters: text.reduce((sum, page) => sum + page.length, 0) }
}

export function problemsOfEmptyPdf({ range, none, filtered, beside }: EmptyPdf): Problem[] {
  if (filtered) {
    const refused =
      'PDFs of ranges without events are rejected with 400; the contract does not list every invalid export'
    premise(isAccepted(filtered), 'freedom', refused)
    const seen = { expected: '200', got: '400', judged: none, control: filtered }
    const sentence = `${describeAnswer(none.answer)} for a range without events, but 200 with a filter too`
    return [problem(sentence, seen)]
  }
  if (!beside) return []
  const { some: control, rows, sizes } = beside
  const [own, theirs] = sizes
  // Lines around events may be long, but not as long as many events; few events do not show the difference.
  const isLess = own.pages < theirs.pages || own.letters < theirs.letters * 0.9
  const where = `the PDF from ${range.start} to ${range.end}`
  const open = `${where} has as many pages and letters as the PDF of ${counted(rows, 'event')}, and neither has many; the contract does not specify what a PDF shows of events`
  premise(isLess || theirs.letters > 1000 || theirs.pages > 3, 'freedom', open)
  const seen = { expected: 'a PDF without events', got: `as much as ${rows} events take`, control }
  const sentence = `${where} contains as much as the PDF of ${counted(rows, 'event')}`
  return problemUnless(isLess, sentence, { ...seen, judged: none })
}

/** The answers to PDFs of ranges without events, if their CSVs are accepted: such a range need not be valid. */
export async function fetchEmptyPdfs(exports: Exports) {
  const fetched = []
  for (const range of rangesWithoutEvents(exports)) {
    const { answer: control } = await exports.csv(range)
    if (!isAccepted(control)) continue
    const { answer } = await exports.pdf(range)
    needDecidable(answer)
    fetched.push({ answer, control })
  }
  const open =
    'CSVs of times without events are rejected too; the contract does not list every invalid export'
  premise(fetched.length > 0, 'freedom', open)
  return fetched
}
