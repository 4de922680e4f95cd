// Files at their edges: parts compared with the whole, and files of very few events.

import { distinct } from '../../../engine/distinct.ts'
import { instantAt, isoOf } from '../../../engine/files/dates.ts'
import {
  firstRowIn,
  intersection,
  isEqual,
  type Multiset,
  minus,
  multisetOf,
  sizeOf,
} from '../../../engine/files/multiset.ts'
import { NotDecidable } from '../../../engine/outcome.ts'
import { type Decides, type Problem, problemUnless } from '../../../engine/problem.ts'
import { premise } from '../../service/answers.ts'
import { findAroundLimit } from '../learn/around-limit.ts'
import { gathered } from '../learn/confirmed.ts'
import { type Ranges, unlessUndecided } from '../learn/ranges.ts'
import { farPast, type Span } from '../learn/spans.ts'
import type { Times } from '../learn/time-column.ts'
import { eventRows, rowsLike, spanOf, type Window } from '../learn/window.ts'
import { askFiles, byValues, type Files } from './predict.ts'
import { eventsOf } from './words.ts'

export type Parts = { whole: Span; parts: [Span, Span]; between: 'nothing' | 'something' }

const cutAt = ({ start, end }: Span, cut: string): Parts => ({
  whole: { start, end },
  parts: [
    { start, end: cut },
    { start: cut, end },
  ],
  between: 'nothing',
})

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
  const cut = shown.toSorted((a, b) => (a < b ? -1 : 1))[Math.floor(shown.length * 0.4)]
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
    const parts: Parts['parts'] = [
      { start, end: before },
      { start: behind, end },
    ]
    return [{ whole: { start, end }, parts, between: 'something' as const }]
  })
}

/** The rows of a whole, which may be larger than the window, and of its parts. */
export type Cut = Parts & { window: Window; all: string[][]; first: string[][]; second: string[][] }

export const askCut = ({ exports }: Ranges, window: Window, cut: Parts) =>
  gathered(exports, { ...window, ...cut.whole }, async (fetch): Promise<Cut> => {
    const rowsOf = async (span: Span) => rowsLike(window, await fetch(span))
    const all = await rowsOf(cut.whole)
    const [first, second] = [await rowsOf(cut.parts[0]), await rowsOf(cut.parts[1])]
    return { ...cut, window, all, first, second }
  })

/** Events of the whole that no part has, and events of the parts that the whole lacks. */
export function problemsOfCut({ whole, parts, between, window, all, first, second }: Cut) {
  const setOf = (rows: string[][]) => multisetOf(rows, window.columns)
  const inWhole = setOf(all)
  const lost = between === 'nothing' ? minus(inWhole, setOf([...first, ...second])) : new Map()
  // An event at the shared bound is in both.
  const more = sizeOf(minus(setOf(first), inWhole)) + sizeOf(minus(setOf(second), inWhole))
  const told = `of ${whole.start} to ${whole.end}, beside its parts up to ${parts[0].end} and from ${parts[1].start}`
  const problemsIf = (count: number, sentence: string, got: string, decides: Decides = {}) =>
    problemUnless(count === 0, sentence, {
      expected: 'the same events',
      got,
      judged: all,
      control: [first, second],
      decides: {
        'range_end of one part': parts[0].end,
        'range_start of the other': parts[1].start,
        ...decides,
      },
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
  const sorted = distinct(column.times).sort((a, b) => (a < b ? -1 : Number(a > b)))
  const often = new Set(column.times.filter((time, at, all) => all.indexOf(time) !== at))
  const apart = 4n * column.unit
  const isAlone = (at: number) => {
    const time = sorted[at] ?? 0n
    const [before, behind] = [sorted[at - 1], sorted[at + 1]]
    if (before === undefined || behind === undefined || often.has(time)) return false
    return time - before > apart && behind - time > apart
  }
  const middle = sorted.length >> 1
  const at = sorted.findIndex((_, n) => n >= middle && isAlone(n) && isAlone(n + 1))
  if (at === -1)
    throw new NotDecidable('data', 'no two events that others are not near; such events are needed')
  const [first, second] = [sorted[at] ?? 0n, sorted[at + 1] ?? 0n]
  const start = isoOf(first - column.unit)
  return [
    { span: { start, end: isoOf(first + column.unit) }, count: 1 },
    { span: { start, end: isoOf(second + column.unit) }, count: 2 },
  ]
}

/**
 * A CSV of one or two events, and the rows of the whole that have their times. If it is suspected, whether
 * ranges go by these times: a longer range that starts just before the first of these events includes it, and one
 * that starts just behind it does not.
 */
export type FewRows = FewEvents & {
  records: string[][]
  found: Multiset
  wanted: string[][]
  areWanted: boolean
  isByTimes?: boolean
}

export const askFewRows = ({ exports }: Ranges, window: Window, times: Times, few: FewEvents) =>
  gathered(
    exports,
    window,
    async (fetch, _, isSuspected): Promise<FewRows> => {
      const { span } = few
      const setOf = (rows: string[][]) => multisetOf(rows, window.columns)
      const wanted = rowsWithin(await fetch({ ...times.utc, ...spanOf(window) }), times, span)
      const records = await fetch({ ...times.utc, ...span })
      const all = setOf(times.rows)
      const isKnown = (row: string[]) => sizeOf(intersection(setOf([row]), all)) > 0
      const found = setOf(records.filter(isKnown))
      const one = { ...few, records, found, wanted, areWanted: isEqual(found, setOf(wanted)) }
      if (!isSuspected || one.areWanted) return one
      const [column] = times.columns
      const first = wanted.toSorted((a, b) =>
        (column.timeIn(a) ?? 0n) < (column.timeIn(b) ?? 0n) ? -1 : 1,
      )
      const event = setOf(first.slice(0, 1))
      const isInFrom = async (start: string) =>
        sizeOf(intersection(setOf(await fetch({ ...times.utc, start, end: window.end })), event)) >
        0
      const behind = isoOf(instantAt(span.start) + 3n * column.unit)
      return { ...one, isByTimes: (await isInFrom(span.start)) && !(await isInFrom(behind)) }
    },
    'records',
  )

const otherTimes =
  'ranges do not begin and end at the times that the file shows; which time of an event it shows is not shown'

export function problemsOfFewRows(one: FewRows): Problem[] {
  const { span, count, records, found, wanted, areWanted, isByTimes = true } = one
  needCount(wanted.length, count, span)
  premise(areWanted || isByTimes, 'freedom', otherTimes)
  const [expected, got] = [`${count} rows`, `${sizeOf(found)} rows`]
  const sentence = `${got} in the CSV from ${span.start} to ${span.end}, not the ${count} that the whole has of that time`
  const seen = { expected, got, judged: records, control: wanted }
  return problemUnless(areWanted, sentence, seen)
}

function needCount(seen: number, count: number, { start, end }: Span): void {
  const changed = `a CSV shows ${seen} events from ${start} to ${end}, and ${count} before; a range whose events stay is needed`
  premise(seen === count, 'data', changed)
}

const rowsWithin = (rows: string[][], { columns: [column] }: Times, span: Span): string[][] =>
  rows.filter((row) => {
    const time = column.timeIn(row)
    return time !== undefined && time >= instantAt(span.start) && time <= instantAt(span.end)
  })

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
