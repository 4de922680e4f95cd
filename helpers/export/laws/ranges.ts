// A range is a predicate on events. What bounds nothing may be left out, another form of a bound means the same,
// what lies outside is out, and parts and the whole are related by counts.

import { distinct } from '../../../engine/distinct.ts'
import type { CsvReading } from '../../../engine/files/csv.ts'
import { day, hour, instantAt, isoOf, second } from '../../../engine/files/dates.ts'
import { countEntries } from '../../../engine/files/entries.ts'
import type { Identity } from '../../../engine/files/identity.ts'
import { multisetOf, sizeOf } from '../../../engine/files/multiset.ts'
import { describeAnswer, isAccepted, isRefused } from '../../../engine/http/answers.ts'
import { from } from '../../../engine/origin.ts'
import { NotDecidable } from '../../../engine/outcome.ts'
import { type Problem, problem } from '../../../engine/problem.ts'
import type { Faker } from '../../../engine/random.ts'
import { metadataKeys } from '../../service/operations.ts'
import { type CsvExport, type Exports, isUsable, needCsv, needPdf } from '../ask/exports.ts'
import type { PdfExport } from '../ask/pdf-export.ts'
import {
  describeFilter,
  type Field,
  filterBy,
  mergeQueries,
  parameters,
  type Query,
} from '../ask/query.ts'
import { learnPdfIdentity } from '../judge/pdf-entries.ts'
import { problemsOfShown } from '../judge/together/pdf-parts.ts'
import { confirmed, confirmedOnce, type Fetch } from '../learn/confirmed.ts'
import type { Filters, Known } from '../learn/filters.ts'
import { type Ranges, unlessUndecided } from '../learn/ranges.ts'
import { farFuture, farPast, noEvents, notYet, recentHour, type Span } from '../learn/spans.ts'
import { dateColumns, type Times } from '../learn/time-column.ts'
import { eventRows, rowsLike, spanOf, type Window } from '../learn/window.ts'
import type { Look } from './bounds.ts'

/** More of a large file is not read: what lies beyond is compared as if it were alike. */
export const maxRead = 3000

/** A range, and the same one in other words. */
export type Pair = {
  asked: Query
  same: Query
  /** what of the other words is to mean the same */
  by: string
  /** events that are recorded meanwhile are in the one that is asked for later */
  mayHoldMore?: true
  /** their bounds are not quite the same, so one may be refused and the other not */
  mayBeRefused?: true
}
type Turn = 'asked' | 'same'

const firstLook: readonly Turn[] = ['same', 'asked']
/** Two servers that answer by turns are asked for both. */
const byTurns: readonly Turn[] = [...firstLook, 'asked', 'same', 'same', 'asked', 'asked', 'same']

/**
 * What is wrong with ranges that are to be the same: one is refused and the other not, or they hold other
 * events. Where events come and go, or not all servers have them yet, one is counted between two counts of the
 * other.
 */
export async function problemsOfPairs(
  exports: Exports,
  window: Window,
  pairs: readonly Pair[],
): Promise<Problem[]> {
  let decided = false
  const judge = async (port: Pick<Exports, 'csv'>, pair: Pair, turns: readonly Turn[]) => {
    const found: Record<Turn, CsvExport[]> = { asked: [], same: [] }
    const counts: Record<Turn, number[]> = { asked: [], same: [] }
    const problemsOf = (what: string, expected: string, got: string): Problem[] => [
      problem(`${describeAnswer((found.asked[0] as CsvExport).answer)}${what}`, {
        expected,
        got,
        judged: found.asked,
        control: found.same,
        again: { holds: 'a.status < 300 && n(a) === n(c)' },
      }),
    ]
    for (const [at, turn] of turns.entries()) {
      const isPlain = at < firstLook.length
      const query = isPlain ? pair[turn] : saidOtherwise(pair, turn, at)
      const file = await port.csv(query, { read: maxRead })
      if (!isPlain && !isAccepted(file.answer)) continue
      found[turn].push(file)
      // Too large a file may be refused: the same one is as large.
      if (turn === 'same' && !isAccepted(file.answer)) return []
      decided = true
      const { status } = file.answer
      if (isRefused(file.answer) && pair.mayBeRefused) return []
      if (isRefused(file.answer) && status !== 403)
        return problemsOf(`, and ${pair.by} 200`, '200', String(status))
      counts[turn].push(countIn(window, needCsv(file)))
    }
    if (isAlike(counts, pair)) return []
    const [count, other] = [counts.asked[0], counts.same.at(-1)]
    const what = ` with ${count} events, and ${pair.by} ${other}`
    return problemsOf(what, `${other} events`, `${count} events`)
  }
  const problems: Problem[] = []
  for (const pair of pairs) {
    const suspected = await judge(exports, pair, firstLook)
    if (suspected.length > 0) problems.push(...(await judge(exports.fresh, pair, byTurns)))
  }
  if (decided) return problems
  throw new NotDecidable(
    'freedom',
    'no range that another one could be compared with is accepted; which ranges are refused is not shown',
  )
}

/** Whether one may be as many as the other: events may come meanwhile. */
const isAlike = ({ asked, same }: Record<Turn, number[]>, { mayHoldMore }: Pair): boolean =>
  Math.max(...asked) >= Math.min(...same) &&
  (mayHoldMore || Math.min(...asked) <= Math.max(...same))

/** A line of a file without events may name what was asked for: it is none. */
const countIn = (window: Window, { records, cut }: CsvReading): number =>
  rowsLike(window, eventRows(window, records, cut)).length

/** What a file may be kept under for a while is its whole query, and what was recorded since is not in it. */
function saidOtherwise({ asked, same }: Pair, turn: Turn, at: number): Query {
  const isFar = asked.end === undefined && same.end !== undefined
  if (turn === 'same')
    return isFar ? { ...same, end: isoOf(instantAt(same.end ?? '') + BigInt(at) * second) } : same
  return {
    ...asked,
    ...(at > 3 ? { locale: 'en' } : {}),
    ...(at % 4 < 2 ? { fileType: null } : {}),
  }
}

/** Where the counting of seconds begins: its zero must not be taken for nothing. */
const aroundEpoch = [
  '1969-12-31T23:59:59.000Z',
  '1970-01-01T00:00:00.000Z',
  '1970-01-01T00:00:01.000Z',
]
/** More seconds than fit into a number of 32 bits. */
const beyond32Bits = '2040-01-01T00:00:00.000Z'
/** Its clock is furthest from UTC. */
const farEast = { timezone: 'Pacific/Kiritimati' }

/** Ranges with one bound, beside the same whose other bound is so far away that it bounds nothing. */
export function pairsOfOneBound(exports: Exports, middle: string): Pair[] {
  const [before, epoch = '', after] = aroundEpoch
  const behind = isoOf(instantAt(beyond32Bits) + second)
  return [
    { ...withoutStart(epoch), same: { start: before, end: after }, mayBeRefused: true },
    withoutStart(middle),
    beside(withoutStart(middle), farEast),
    withoutEnd(beyond32Bits, behind),
    withoutEnd(recentHour(exports).end, farEnd(exports)),
    withoutEnd(middle, farEnd(exports)),
  ]
}

const withoutStart = (end: string): Pair => ({
  asked: { end },
  same: { start: farPast, end },
  by: 'with both bounds',
})
const withoutEnd = (start: string, end: string): Pair => ({
  asked: { start },
  same: { start, end },
  by: 'with both bounds',
})
const farEnd = (exports: Exports) => isoOf(instantAt(farFuture(exports)) + second)
/** What else is asked for matters to neither. */
const beside = (pair: Pair, more: Query): Pair => ({
  ...pair,
  asked: mergeQueries(pair.asked, more),
  same: mergeQueries(pair.same, more),
})

/** Ranges with one bound beside filters that let events of two times through, the first and the last of them. */
export async function filteredPairs(
  filters: Filters,
  window: Window,
  times: Times,
): Promise<{ pairs: Pair[]; described: string }> {
  const { exports } = filters
  let left = timedRows(window, times)
  const chosen: Known[] = []
  // Whatever reads filters meets each: the key that is on most events first.
  for (const field of [...metadataKeys, ...(filters.form.settled ? parameters : [])] as Field[]) {
    const [known] = (await filters.known(field))
      .map((each) => ({ each, rows: left.filter(({ key }) => (each.events.get(key) ?? 0) > 0) }))
      .filter(({ rows }) => distinct(rows.map(({ time }) => time)).length > 1)
      .sort((one, other) => other.rows.length - one.rows.length)
    if (!known) continue
    chosen.push(known.each)
    left = known.rows
  }
  if (chosen.length === 0)
    throw new NotDecidable(...(await filters.why(...parameters, ...metadataKeys)))
  const shown = distinct(left.map(({ time }) => time))
  const filter = mergeQueries(...chosen.map(({ field, value }) => filterBy(field, value)))
  const [first, last] = [shown[0] ?? 0n, shown.at(-1) ?? 0n].map(isoOf) as [string, string]
  return {
    pairs: [withoutStart(first), withoutEnd(last, farEnd(exports))].map((pair) =>
      beside(pair, filter),
    ),
    described: chosen.map(({ field, value }) => describeFilter(field, value)).join(' and '),
  }
}

/** The rows of the window by what tells them from others, and when their events were. */
const timedRows = ({ columns }: Window, { rows, columns: [column] }: Times) =>
  rows.flatMap((row, at) => {
    const [key] = multisetOf([row], columns).keys()
    const time = column.times[at]
    return key === undefined || time === undefined ? [] : [{ key, time }]
  })

/** Bounds at full seconds without a fraction, beside the same with zeros, right around events. */
export async function wholeSeconds(ranges: Ranges): Promise<{ pairs: Pair[]; span: Span }> {
  const [window, times] = [await ranges.window(), await ranges.times().catch(unlessUndecided)]
  const shown = distinct(times?.columns[0].times ?? [])
  // A bound that is taken for another time loses one of the events.
  const around =
    shown.length > 2
      ? [shown[1] ?? 0n, (shown.at(-2) ?? 0n) + second]
      : [instantAt(window.start) + second, instantAt(window.end)]
  const [start, end] = around.map((at) => isoOf(at - (at % second)).slice(0, 19))
  const same = { start: `${start}.000Z`, end: `${end}.000Z` }
  const span = { start: `${start}Z`, end: `${end}Z` }
  // As texts the second bound comes before the first.
  const within = { ...same, end: `${start}.500Z` }
  const by = 'with .000 in place of no fraction'
  const pairs = [
    { asked: { ...same, start: span.start }, same, by },
    { asked: { ...same, end: span.end }, same, by },
    { asked: { ...within, start: span.start }, same: within, by },
  ]
  return { pairs, span }
}

/** Without any parameter, read as far as files are compared. */
export const everything = [{ fileType: null }, { read: maxRead }] as const

/** An export without a range; where all events are too many to be counted, one of those of one entity. */
export async function pairWithoutRange(filters: Filters): Promise<Pair> {
  const { exports } = filters
  const found = await exports.csv(...everything)
  const isWhole = isUsable(found) && !found.csv?.cut
  const known = isWhole ? [] : await filters.needKnown('entity_id')
  const [fewest] = known.toSorted((a, b) => sizeOf(a.events) - sizeOf(b.events))
  const asked: Query = fewest ? filterBy(fewest.field, fewest.value) : everything[0]
  const same = { ...asked, start: farPast, end: farEnd(exports) }
  // What is to come may be refused.
  const isTaken = isAccepted((await exports.csv(same, { read: maxRead })).answer)
  const bounded = isTaken ? same : { ...asked, start: farPast }
  return { asked, same: bounded, by: 'from 1971 until years to come', mayHoldMore: true }
}

/** A PDF of one entity without a range, beside that of the window: fewer of the window's events. */
export async function problemsOfNoRangePdf(filters: Filters, window: Window): Promise<Problem[]> {
  const { exports } = filters
  const identity = await learnPdfIdentity(exports, window)
  const known = (await filters.known('entity_id')).at(-1)
  if (!known) return []
  const open = filterBy(known.field, known.value)
  const closed = mergeQueries(spanOf(window), open)
  return confirmed(exports, window, async (fetch, { pdf }) => {
    const [without, within] = [await pdf(open), await pdf(closed)]
    // How long the range of a PDF may be is not shown.
    if (!isAccepted(without.answer) || !isAccepted(within.answer)) return []
    const rows = await fetch(closed)
    const countIn = async (found: PdfExport) =>
      countEntries((await needPdf(found, { text: true })).text ?? [], rows, identity).count
    const [left, count] = [await countIn(without), await countIn(within)]
    if (left >= count) return []
    const sentence = `a PDF without a range shows ${left} of the ${count} events that one from ${window.start} to ${window.end} shows`
    const facts = { expected: `${count} events`, got: `${left} events`, judged: without }
    return [problem(sentence, { ...facts, control: within })]
  })
}
/** Files without events may differ by a line or two, such as one that tells of the filter. */
const maxLinesApart = 10
/** So many lines are no frame: what is around the events of a file is not longer. */
const maxFrameLines = 300
const rangesWithoutEvents = (exports: Exports): Span[] => [noEvents, notYet(exports)]

/**
 * Records that are in files of ranges in which nothing happened, and not in files of filters that nothing
 * passes. Both are without events, and neither needs to be known.
 */
export async function problemsOfEmptyRanges(exports: Exports, random: Faker): Promise<Problem[]> {
  const tag = `none-${random.string.alphanumeric(12).toLowerCase()}`
  const filters: Query[] = [
    { filters: { auditee_id: [random.string.uuid()] } },
    { metadata: { tag } },
  ]
  let frame = 0
  const problems = await confirmedOnce(exports, async ({ csv }) => {
    const fetchAll = (queries: readonly Query[]) =>
      Promise.all(queries.map((query) => csv(query, { read: maxFrameLines })))
    const spans = rangesWithoutEvents(exports)
    const [found, filtered] = [await fetchAll(spans), await fetchAll(filters)]
    if (!found.some(isUsable)) needCsv(found[0] as CsvExport)
    frame = Math.min(...[...found, ...filtered].filter(isUsable).map(countOf))
    return found.flatMap((file, at) => {
      const count = isUsable(file) ? countOf(file) : 0
      if (count <= frame + maxLinesApart && count < maxFrameLines) return []
      const year = spans[at]?.start.slice(0, 4)
      return problem(`${count} records or more in a file of one second of the year ${year}`, {
        expected: `${frame} records, as where nothing passes a filter`,
        got: `${count} records`,
        judged: file,
        again: { holds: `n(a) <= ${frame + maxLinesApart}` },
        control: filtered,
      })
    })
  })
  if (problems.length > 0 || frame <= maxLinesApart) return problems
  throw new NotDecidable(
    'freedom',
    `every file has ${frame} records or more, also where no event is to be expected; how many lines of a file are events is not shown`,
  )
}

const countOf = ({ csv }: CsvExport): number => csv?.count ?? 0

/** Two parts of the window: they share an instant, or lie an hour apart. */
type Parts = { first: Span; second: Span; instant?: Span }

/** Parts that share a bound: both are inclusive, so what is of that time is in both. */
export const splitAt = ({ start, end }: Window, cut: string): Parts => ({
  first: { start, end: cut },
  second: { start: cut, end },
  instant: { start: cut, end: cut },
})

/**
 * Parts an hour apart: times that are stored or compared in whole minutes are no breach. They lie around the
 * midnight before a time where the window has that, which may be taken for a whole day.
 */
export function hourApart({ start, end }: Window, cut: string): Parts[] {
  const time = instantAt(cut)
  const midnight = time - (time % day)
  const until = midnight > instantAt(start) && midnight + hour <= time ? midnight : time - hour / 2n
  const from = until + hour
  // A range of one instant may be refused.
  if (until <= instantAt(start) || from >= instantAt(end)) return []
  return [{ first: { start, end: isoOf(until) }, second: { start: isoOf(from), end } }]
}

/** Parts of a window that do not hold as many events as the whole, and those in both once more. */
export async function problemsOfParts(
  fetch: Fetch,
  { csv }: Exports,
  window: Window,
  parts: readonly Parts[],
): Promise<Problem[]> {
  // Files that have other columns each may have few rows like those of the window.
  const rowsOf = async (span: Query) => {
    const found = await fetch(span)
    const alike = rowsLike(window, found)
    return alike.length > 0 ? alike : found
  }
  const whole = await rowsOf(spanOf(window))
  const problems: Problem[] = []
  for (const { first, second, instant } of parts) {
    const [until, from] = [await rowsOf(first), await rowsOf(second)]
    // Whether a range of one instant is let in is the matter of export.range.instant.
    const isTaken = instant && isAccepted((await csv(instant)).answer)
    const twice = isTaken ? await rowsOf(instant) : []
    const sum = until.length + from.length
    const wanted = whole.length + twice.length
    const [isTooFew, isTooMany] = [instant && sum < wanted, (!instant || isTaken) && sum > wanted]
    if (!isTooFew && !isTooMany) continue
    const at = isTaken ? `, and ${twice.length} at that time` : ''
    const sentence = `${until.length} events up to ${first.end} and ${from.length} from ${second.start}: of ${whole.length} in the whole${at}`
    problems.push(
      problem(sentence, {
        expected: `${wanted} events${isTaken ? '' : instant ? ' or more' : ' at most'}`,
        got: `${sum} events`,
        judged: [until, from],
        control: [whole, twice],
      }),
    )
  }
  return problems
}

/** Rows that show times outside of their range, as a problem. */
const problemsOfStrays = (rows: string[][], strays: readonly string[][], { start, end }: Span) =>
  strays.length === 0
    ? []
    : [
        problem(`${strays.length} of ${rows.length} rows are not of ${start} to ${end}`, {
          expected: `times from ${start} to ${end}`,
          got: `${strays.length} rows with other times`,
          judged: rows,
          again: { why: 'the cells of a CSV have to be read' },
        }),
      ]

/** Files of ranges in which nothing happened whose rows show other times, whatever else is known. */
export async function problemsOfEmptyRangeDates(exports: Exports): Promise<Problem[]> {
  const problems: Problem[] = []
  for (const range of rangesWithoutEvents(exports)) {
    const { csv } = await exports.csv(range, { read: maxFrameLines })
    const rows = from((csv?.records ?? []).slice(1), csv?.records)
    const [column] = dateColumns(rows)
    const at = instantAt(range.start)
    const isNear = (time: bigint) => time > at - 2n * day && time < at + 2n * day
    // Lines before the events tell of the range as well.
    if (column && rows.length > 2 && !column.times.some(isNear))
      problems.push(...problemsOfStrays(rows, rows, range))
  }
  return problems
}

const unknownZone =
  'the file does not say in which time zone its times are; the default zone is not shown'

/** Rows that show a time outside of the range that was asked for, by as little as a rounding does not explain. */
export async function problemsOfRangeRows({
  fetch,
  window,
  times,
  column,
}: Look): Promise<Problem[]> {
  if (!column.inUtc) throw new NotDecidable('freedom', unknownZone)
  const { unit, timeIn } = column
  const rowsOf = async (span: Span) => rowsLike(window, await fetch({ ...times.utc, ...span }))
  const sorted = distinct(column.times)
  const middle = sorted[(sorted.length - 1) >> 1] ?? 0n
  // Ranges may go by another time than the file shows: then it is not where they are looked for.
  const near = 2n * (unit > second ? unit : second)
  const around = { start: isoOf(middle - near), end: isoOf(middle + near) }
  const isSame = (await rowsOf(around)).length > 0
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
    const rows = await rowsOf(span)
    const [from, to] = [instantAt(span.start) - unit, instantAt(span.end) + unit]
    const strays = rows.filter((row) => {
      const time = timeIn(row)
      return time !== undefined && (time <= from || time >= to)
    })
    problems.push(...problemsOfStrays(rows, strays, span))
  }
  return problems
}

/** Where it can be, a range that begins right behind an event and ends right before one. */
function spanBetween(
  sorted: readonly bigint[],
  [from, to]: readonly [number, number],
  slack: bigint,
): Span[] {
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0n
  const [start, end] = [at(from) + slack, at(to) - slack]
  return start < end ? [{ start: isoOf(start), end: isoOf(end) }] : []
}

/** Up to a midnight that may be taken for its whole day, where the window is a part of that day. */
function midnightBefore({ start, end }: Window): Span[] {
  const midnight = instantAt(start) - (instantAt(start) % day)
  return instantAt(end) < midnight + day
    ? [{ start: isoOf(midnight - second), end: isoOf(midnight) }]
    : []
}

/** Days that calendars of weeks count to the other year. */
function daysOfNewYear({ start }: Window): Span {
  const year = Number(start.slice(0, 4))
  return { start: `${year - 1}-12-28T00:00:00.000Z`, end: `${year}-01-04T23:59:59.999Z` }
}

/** A part of the window for a PDF: bounds that are taken for whole seconds, hours or days let other events in. */
export async function betweenEvents(ranges: Ranges): Promise<Span> {
  const [column] = (await ranges.times().catch(unlessUndecided))?.columns ?? []
  const sorted = distinct(column?.times ?? [])
  const slack = 2n * (column?.unit ?? 0n)
  const spans = [0.5, 0.6, 0.9].flatMap((to) => spanBetween(sorted, [0.4, to], slack))
  const cuts = await ranges.cuts()
  return spans[0] ?? { start: cuts[0] ?? '', end: cuts.at(-1) ?? '' }
}

/** Events that a PDF of a range lacks, or shows though they are outside, beside the CSV of the range. */
export const problemsOfPdfRange = (
  exports: Exports,
  window: Window,
  identity: Identity,
  span: Span,
): Promise<Problem[]> =>
  confirmed(exports, window, async (fetch, { pdf }) => {
    const [wanted, all] = [await fetch(span), await fetch(spanOf(window))]
    const shown = { wanted: rowsLike(window, wanted), all: rowsLike(window, all), identity }
    return problemsOfShown(`PDF from ${span.start} to ${span.end}`, await pdf(span), shown)
  })
