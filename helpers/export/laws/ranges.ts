// A range is a predicate on events: no bound means no limit, equivalent forms give equal files,
// nothing outside is included, and counts relate parts to the whole.

import { distinct } from '../../../engine/distinct.ts'
import { day, hour, instantAt, isoOf, second } from '../../../engine/files/dates.ts'
import { countEntries } from '../../../engine/files/entries.ts'
import { firstRowIn, minus, multisetOf, sizeOf } from '../../../engine/files/multiset.ts'
import { isAccepted } from '../../../engine/http/answers.ts'
import { NotDecidable } from '../../../engine/outcome.ts'
import { type Decides, type Problem, problem, problemUnless } from '../../../engine/problem.ts'
import { premise } from '../../service/answers.ts'
import { type Exports, needPdf } from '../ask/exports.ts'
import { filterBy, mergeQueries } from '../ask/query.ts'
import { findAroundLimit } from '../learn/around-limit.ts'
import { ask, type Dialogue, gathered, held, ifDecided } from '../learn/confirmed.ts'
import type { Filters } from '../learn/filters.ts'
import { type Ranges, unlessUndecided } from '../learn/ranges.ts'
import { farPast, type Span } from '../learn/spans.ts'
import { rowsWithin, sorted, type Times } from '../learn/time-column.ts'
import { eventRows, rowsLike, spanOf, type Window } from '../learn/window.ts'
import type { Look } from './bounds.ts'
import { problemsOfStrays } from './empty-ranges.ts'
import { eventsOf } from './file.ts'
import { learnPdfIdentity } from './pdf-entries.ts'
import { askFiles, byValues, type Files, type Predict } from './predict.ts'

/** A PDF of one entity without a range holds fewer of the window's events than with it. */
export async function heldWithoutRange({ exports, known: findKnown, window }: Filters) {
  const identity = await learnPdfIdentity(exports, window)
  const known = (await findKnown('entity_id')).at(-1)
  if (!known) throw new NotDecidable('data', 'no entity is known whose events a PDF may hold')
  const open = filterBy(known.field, known.value)
  const closed = mergeQueries(spanOf(window), open)
  function* problemsOfFiles(): Dialogue<Problem[]> {
    const without = yield* ask(({ port }) => port.pdf(open))
    const within = yield* ask(({ port }) => port.pdf(closed))
    // The contract does not limit the range of a PDF.
    if (!isAccepted(without.answer) || !isAccepted(within.answer)) return []
    const rows = yield* ask(({ fetch }) => fetch(closed))
    const texts: (readonly string[])[] = []
    for (const found of [without, within])
      texts.push((yield* ask(() => needPdf(found, { text: true }))).text ?? [])
    const [left = 0, count = 0] = texts.map((text) => countEntries(text, rows, identity).count)
    const sentence = `a PDF without a range shows ${left} of the ${count} events that a PDF from ${window.start} to ${window.end} shows`
    const facts = { expected: eventsOf(count), got: eventsOf(left), judged: without }
    return problemUnless(left >= count, sentence, { ...facts, control: within })
  }
  return held(exports, window, problemsOfFiles)
}
/** Two parts of a range, which share a bound or leave out what lies between them. */
type Parts = { whole: Span; first: Span; second: Span; between: 'nothing' | 'something' }

/** Parts that share a bound: both are inclusive, so events at that time are in both. */
export const cutAt = ({ start, end }: Span, cut: string): Parts => ({
  whole: { start, end },
  first: { start, end: cut },
  second: { start: cut, end },
  between: 'nothing',
})

const apart = ({ start, end }: Span, until: string, from: string): Parts => ({
  whole: { start, end },
  first: { start, end: until },
  second: { start: from, end },
  between: 'something',
})

/**
 * Parts an hour apart: storing or comparing whole minutes is not a breach. If possible, they lie around a
 * midnight, which may be read as a whole day.
 */
export function hourApart({ start, end }: Window, cut: string): Parts[] {
  const time = instantAt(cut)
  const midnight = time - (time % day)
  const until = midnight > instantAt(start) && midnight + hour <= time ? midnight : time - hour / 2n
  const from = until + hour
  // A range of one instant may be refused.
  if (until <= instantAt(start) || from >= instantAt(end)) return []
  return [apart({ start, end }, isoOf(until), isoOf(from))]
}

const boundsOf = ({ first, second }: Pick<Parts, 'first' | 'second'>): Decides => ({
  'range_end of one part': first.end,
  'range_start of the other': second.start,
})

/** Parts of a window do not hold as many events as the whole, plus those in both. */
export const heldParts = (exports: Exports, window: Window, parts: readonly Parts[]) =>
  held(exports, window, () => problemsOfParts(window, parts))

function* problemsOfParts(window: Window, parts: readonly Parts[]): Dialogue<Problem[]> {
  const rowsOf = (span: Span) => ask(({ fetch }) => fetch(span))
  const whole = yield* rowsOf(spanOf(window))
  const problems: Problem[] = []
  for (const { first, second, between } of parts) {
    const instant = between === 'nothing' && { start: first.end, end: second.start }
    const [until, from] = [yield* rowsOf(first), yield* rowsOf(second)]
    // export.range.instant judges whether a range of one instant is accepted.
    const taken = instant && (yield* ifDecided(ask(({ port }) => port.csv(instant))))
    const isTaken = taken && isAccepted(taken.answer)
    const twice = isTaken ? yield* rowsOf(instant) : []
    const sum = until.length + from.length
    const wanted = whole.length + twice.length
    const [isTooFew, isTooMany] = [instant && sum < wanted, (!instant || isTaken) && sum > wanted]
    if (!isTooFew && !isTooMany) continue
    const at = isTaken ? `, and ${twice.length} at that time` : ''
    const sentence = `${until.length} events up to ${first.end} and ${from.length} from ${second.start} on, compared with ${whole.length} in the whole range${at}`
    problems.push(
      problem(sentence, {
        expected: `${wanted} events${isTaken ? '' : instant ? ' or more' : ' at most'}`,
        got: eventsOf(sum),
        judged: [until, from],
        control: [whole, twice],
        decides: boundsOf({ first, second }),
      }),
    )
  }
  return problems
}

const unknownZone =
  'the file does not show the time zone of its times; the contract does not specify the default time zone'

/** Rows with a time outside the requested range, by more than rounding explains. */
export function* problemsOfRangeRows({ window, times, column }: Look): Dialogue<Problem[]> {
  if (!column.inUtc) throw new NotDecidable('freedom', unknownZone)
  const { unit, timeIn } = column
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
  const spans = shares.flatMap(([from, to]) => spanBetween(sorted, [from, to], slack))
  const further = isSame ? [daysOfNewYear(window), ...midnightBefore(window)] : []
  const problems: Problem[] = []
  for (const span of [...spans, ...further]) {
    const rows = yield* rowsOf(span)
    const [from, to] = [instantAt(span.start) - unit, instantAt(span.end) + unit]
    const strays = rows.filter((row) => {
      const time = timeIn(row)
      return time !== undefined && (time <= from || time >= to)
    })
    problems.push(...problemsOfStrays(rows, strays, span))
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
  const window = await ranges.window()
  const times = await ranges.times().catch(unlessUndecided)
  const large = await ranges.exports
    .once('stretches around the PDF limit', (inner) => findAroundLimit(inner, window, pdfLimit))
    .catch(unlessUndecided)
  const largest = large ? cutAt(large.at, large.half.end) : await everything(ranges, window, times)
  return [
    ...(await ranges.cuts()).map((cut) => cutAt(window, cut)),
    ...(times ? besideHardRow(window, times) : []),
    ...(largest ? [largest] : []),
  ]
}

async function everything(
  { exports }: Ranges,
  window: Window,
  times: Times | undefined,
): Promise<Parts | undefined> {
  const whole = { start: farPast, end: window.end }
  const { csv } = await exports.csv(whole)
  const shown = eventRows(window, csv?.records ?? []).flatMap(
    (row) => times?.columns[0].timeIn(row) ?? [],
  )
  const cut = sorted(shown)[Math.floor(shown.length * 0.4)]
  return cut === undefined ? undefined : cutAt(whole, isoOf(cut))
}

/**
 * Parts that end and start right beside a row with a line break, and beside one with quotes: misreading
 * such a row loses a part of the next.
 */
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
    return [apart({ start, end }, before, behind)]
  })
}

/** The rows of a whole, which may be larger than the window, and of its parts. */
export type Cut = {
  cut: Parts
  window: Window
  all: string[][]
  until: string[][]
  from: string[][]
}

export const askCut = ({ exports }: Ranges, window: Window, cut: Parts) =>
  gathered(exports, { ...window, ...cut.whole }, async (fetch): Promise<Cut> => {
    const rowsOf = async (span: Span) => rowsLike(window, await fetch(span))
    const all = await rowsOf(cut.whole)
    const [until, from] = [await rowsOf(cut.first), await rowsOf(cut.second)]
    return { cut, window, all, until, from }
  })

/** Events of the whole that no part has, and events of the parts that the whole lacks. */
export function problemsOfCut({ cut, window, all, until, from }: Cut) {
  const { whole, first, second, between } = cut
  const setOf = (rows: string[][]) => multisetOf(rows, window.columns)
  const inWhole = setOf(all)
  const lost = between === 'nothing' ? minus(inWhole, setOf([...until, ...from])) : new Map()
  // An event at the shared bound is in both.
  const more = sizeOf(minus(setOf(until), inWhole)) + sizeOf(minus(setOf(from), inWhole))
  const told = `of ${whole.start} to ${whole.end}, beside its parts up to ${first.end} and from ${second.start}`
  const problemsIf = (count: number, sentence: string, got: string, decides: Decides = {}) =>
    problemUnless(count === 0, sentence, {
      expected: 'the same events',
      got,
      judged: all,
      control: [until, from],
      decides: { ...boundsOf(cut), ...decides },
      again: {
        why: 'the rows of three files have to be compared, past columns that change from file to file',
      },
    })
  const less = sizeOf(lost)
  const inNone = { 'an event in no part': firstRowIn(lost) }
  const missing = `${eventsOf(more)} ${more === 1 ? 'is' : 'are'} missing ${told}`
  return [
    ...problemsIf(less, `${less} events ${told}, are in no part`, `${less} more`, inNone),
    ...problemsIf(more, missing, `${more} fewer`),
  ]
}

export type FewEvents = { span: Span; count: 1 | 2 }

/** Ranges around isolated events, so that rounding of times does not matter. */
export function needFewEvents({ columns: [column] }: Times): FewEvents[] {
  const all = sorted(distinct(column.times))
  const often = new Set(column.times.filter((time, at, times) => times.indexOf(time) !== at))
  const apart = 4n * column.unit
  const isAlone = (at: number) => {
    const time = all[at] ?? 0n
    const [before, behind] = [all[at - 1], all[at + 1]]
    if (before === undefined || behind === undefined || often.has(time)) return false
    return time - before > apart && behind - time > apart
  }
  const middle = all.length >> 1
  const at = all.findIndex((_, n) => n >= middle && isAlone(n) && isAlone(n + 1))
  const none =
    'no two consecutive events are far enough from other events; this check needs such events'
  premise(at !== -1, 'data', none)
  const [first, second] = [all[at] ?? 0n, all[at + 1] ?? 0n]
  const start = isoOf(first - column.unit)
  return [
    { span: { start, end: isoOf(first + column.unit) }, count: 1 },
    { span: { start, end: isoOf(second + column.unit) }, count: 2 },
  ]
}

const otherTimes =
  'ranges do not use the times that the file shows; the contract does not say which time of an event a file shows'

/**
 * The events of the whole whose times lie in the range. If a file is suspected, ranges have to go by these times: a
 * longer one that starts just before the first of these events includes it, and one just behind it does not.
 */
const byTimes =
  (times: Times, count: number, isSuspected: boolean): Predict =>
  async ({ bounds }, { window, fetch }) => {
    const span = bounds ?? spanOf(window)
    const all = await fetch({ ...times.utc, ...spanOf(window) })
    const rows = rowsWithin(all, times, span)
    needCount(rows.length, count, span)
    const [column] = times.columns
    const [first] = rows.toSorted((a, b) =>
      Number((column.timeIn(a) ?? 0n) - (column.timeIn(b) ?? 0n)),
    )
    const isFirst = (row: string[]) => column.textIn(row) === column.textIn(first ?? [])
    const isInFrom = async (start: string) =>
      (await fetch({ ...times.utc, start, end: window.end })).some(isFirst)
    const behind = isoOf(instantAt(span.start) + 3n * column.unit)
    const isByTimes = !isSuspected || ((await isInFrom(span.start)) && !(await isInFrom(behind)))
    premise(isByTimes, 'freedom', otherTimes)
    const events = multisetOf(rows, window.columns)
    return { readings: [{ least: events, most: events }], range: rows, all: rows, control: all }
  }

/** CSVs of few events, in the zone in which their times are known. */
export async function* askFewRows(files: Files, times: Times, few: readonly FewEvents[]) {
  const { timezone } = times.utc
  for (const { span: bounds, count } of few) {
    const by = [false, true].map((isSuspected) => byTimes(times, count, isSuspected))
    yield* await askFiles(files, [{ values: [], bounds, timezone }], ...(by as [Predict, Predict]))
  }
}

function needCount(seen: number, count: number, { start, end }: Span): void {
  const changed = `a CSV contains ${seen} events from ${start} to ${end}, but ${count} before; a range whose events do not change is needed`
  premise(seen === count, 'data', changed)
}

/** PDFs of few events, as the CSV of their range has them. */
export async function* askFewEntries(files: Files, few: readonly FewEvents[]) {
  for (const { span: bounds, count } of few)
    yield* await askFiles(files, [{ values: [], fileType: 'pdf', bounds }], async (request, at) => {
      const expected = await byValues(request, at)
      // Another clause judges how many a CSV has.
      needCount(expected.range.length, count, bounds)
      return expected
    })
}
