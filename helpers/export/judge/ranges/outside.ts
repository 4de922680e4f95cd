// Events, rows and PDFs of ranges that should not hold them.

import { distinct } from '../../../../engine/distinct.ts'
import {
  day,
  hour,
  instantAt,
  instantOf,
  isoOf,
  readingsOf,
  type ShownDate,
  second,
} from '../../../../engine/files/dates.ts'
import { NotDecidable } from '../../../../engine/outcome.ts'
import { type Problem, problem } from '../../../../engine/problem.ts'
import type { Faker } from '../../../../engine/random.ts'
import { type Exports, isUsable, needCsv } from '../../ask/exports.ts'
import type { Query } from '../../ask/query.ts'
import type { Fetch } from '../../learn/confirmed.ts'
import { farPast, hourApart, noEvents, notYet, type Span } from '../../learn/spans.ts'
import { countStrays } from '../../learn/time-column.ts'
import { rowsLike, spanOf, type Window } from '../../learn/window.ts'
import type { Look } from './witnesses.ts'

/** Files without events may differ by a line or two, such as one that tells of the filter. */
const maxLinesApart = 10
/** So many lines are no frame: what is around the events of a file is not longer. */
const maxFrameLines = 300

/**
 * Records that are in files of ranges in which nothing happened, and not in files of filters that
 * nothing passes. Both are without events, and neither needs to be known.
 */
export async function problemsOfEmptyRanges(exports: Exports, random: Faker): Promise<Problem[]> {
  const none: Query[] = [
    { filters: { auditee_id: [random.string.uuid()] } },
    { metadata: { tag: `none-${random.string.alphanumeric(12).toLowerCase()}` } },
  ]
  const judge = async ({ csv }: Exports) => {
    const fetch = async (query: Query) => {
      const found = await csv(query, { read: maxFrameLines })
      return { found, count: isUsable(found) ? found.csv?.count : undefined }
    }
    const [before, after] = [await fetch(noEvents), await fetch(notYet(exports))]
    if (before.count === undefined && after.count === undefined) needCsv(await csv(noEvents))
    const filtered = [await fetch(none[0] ?? {}), await fetch(none[1] ?? {})]
    const others = [...filtered, before, after].map(({ count }) => count)
    const frame = Math.min(...others.filter((records) => records !== undefined))
    const isTooLong = (records = 0) => records > frame + maxLinesApart || records >= maxFrameLines
    const problems = [
      { ...before, when: 'one second of the year 1971' },
      { ...after, when: 'one second of the years to come' },
    ].flatMap(({ found, count, when }) =>
      isTooLong(count)
        ? [
            problem(`${count} records or more in a file of ${when}`, {
              expected: `${frame} records, as where nothing passes a filter`,
              got: `${count} records`,
              judged: found,
              again: { holds: `n(a) <= ${frame + maxLinesApart}` },
              control: filtered.map((each) => each.found),
            }),
          ]
        : [],
    )
    return { problems, frame }
  }
  const suspected = await judge(exports)
  if (suspected.problems.length > 0) return (await judge(exports.fresh)).problems
  if (suspected.frame > maxLinesApart)
    throw new NotDecidable(
      'freedom',
      `every file has ${suspected.frame} records or more, also where no event is to be expected; how many lines of a file are events is not shown`,
    )
  return []
}

/** Files of ranges in which nothing happened whose rows show other times, whatever else is known. */
export async function problemsOfEmptyRangeDates(exports: Exports): Promise<Problem[]> {
  const problems: Problem[] = []
  for (const range of [noEvents, notYet(exports)]) {
    const { csv } = await exports.csv(range, { read: maxFrameLines })
    const dates = datesIn(csv?.records ?? [])
    const from = instantAt(range.start ?? farPast) - 2n * day
    // Lines before the events tell of the range as well.
    if (dates.every((date) => date < from || date > from + 4n * day) && dates.length > 0)
      problems.push(
        problem(`${dates.length} rows from ${range.start} to ${range.end} show other times`, {
          expected: `times from ${range.start} to ${range.end}`,
          got: isoOf(dates[0] ?? 0n),
          judged: csv,
          again: { why: 'the cells of a CSV have to be read' },
        }),
      )
  }
  return problems
}

/** The times of a table: of a column that shows one in most of the rows. */
function datesIn(records: readonly string[][]): bigint[] {
  const width = records.reduce((most, record) => Math.max(most, record.length), 0)
  for (let column = 0; column < width; column += 1) {
    const dates = records.flatMap((record) => anyDateIn(record[column] ?? ''))
    if (dates.length >= 3 && dates.length * 2 > records.length) return dates.map(instantOf)
  }
  return []
}

/** One number alone is no date: an amount of money looks as a count of days does. */
const anyDateIn = (text: string): ShownDate | [] =>
  readingsOf([text]).find(({ order }) => order !== 'days')?.dates[0] ?? []

/** Parts of a window in which there are more events than in the whole. */
export async function problemsOfRangeParts(
  fetch: Fetch,
  window: Window,
  cuts: readonly string[],
): Promise<Problem[]> {
  const rowsOf = async (span: Query) => rowsLike(window, await fetch(span))
  const whole = await rowsOf(spanOf(window))
  const problems: Problem[] = []
  for (const cut of cuts) {
    // An hour lies between: times that are stored or compared in whole minutes are no breach.
    const [until, from] = hourOfMidnight(cut, window)
    // A range of one instant may be refused.
    if (until <= window.start || from >= window.end) continue
    const first = await rowsOf({ start: window.start, end: until })
    const second = await rowsOf({ start: from, end: window.end })
    const sum = first.length + second.length
    if (sum > whole.length)
      problems.push(
        problem(
          `${first.length} events up to ${until} and ${second.length} from ${from}, an hour later; the whole range has ${whole.length}`,
          {
            expected: `${whole.length} events at most`,
            got: `${sum} events`,
            judged: [first, second],
            control: whole,
          },
        ),
      )
  }
  return problems
}

/** The midnight before a time, and an hour after it, where both lie between window and time; else one around noon. */
function hourOfMidnight(cut: string, window: Window): [string, string] {
  const time = instantAt(cut)
  const midnight = time - (time % day)
  const isBetween = midnight > instantAt(window.start) && time >= midnight + hour
  return isBetween ? [isoOf(midnight), isoOf(midnight + hour)] : hourApart(cut)
}

const unknownZone =
  'the file does not say in which time zone its times are; the default zone is not shown'

/** Rows that show a time outside of the range that was asked for. */
export async function problemsOfRangeRows({
  fetch,
  window,
  times: { utc },
  column,
}: Look): Promise<Problem[]> {
  if (!column.inUtc) throw new NotDecidable('freedom', unknownZone)
  const sorted = distinct(column.times)
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0n
  const rowsOf = async (span: Span) => rowsLike(window, await fetch({ ...utc, ...span }))
  // Ranges may go by another time than the file shows: then it is not where they are looked for.
  const near = 2n * (column.unit > second ? column.unit : second)
  const [before, after] = [isoOf(at(0.5) - near), isoOf(at(0.5) + near)]
  const isSame = (await rowsOf({ start: before, end: after })).length > 0
  // They begin behind an event and end before one, by as little as a rounding does not explain.
  const slack = isSame ? 2n * column.unit : 0n
  const between = (from: number, to: number): Span[] => {
    const [start, end] = [at(from) + slack, at(to) - slack]
    return start <= end ? [{ start: isoOf(start), end: isoOf(end) }] : []
  }
  const spans = [...between(0.1, 0.2), ...between(0.45, 0.5), ...between(0.8, 0.9)]
  const further = isSame ? [daysOfNewYear(window), ...midnightBefore(window, at(0.9))] : []
  const problems: Problem[] = []
  for (const span of [...spans, ...further]) {
    const rows = await rowsOf(span)
    const strays = countStrays(column, rows, span)
    if (strays > 0)
      problems.push(
        problem(`${strays} of ${rows.length} rows are not of ${span.start} to ${span.end}`, {
          expected: `times from ${span.start} to ${span.end}`,
          got: `${strays} rows with other times`,
          judged: rows,
          again: { why: 'the cells of a CSV have to be read' },
        }),
      )
  }
  return problems
}

/** Up to the midnight before an event, where the window has no midnight in it. */
function midnightBefore({ start }: Window, time: bigint): Span[] {
  const midnight = time - (time % day)
  return midnight < instantAt(start)
    ? [{ start: isoOf(midnight - second), end: isoOf(midnight) }]
    : []
}

/** Days that calendars of weeks count to the other year. */
function daysOfNewYear({ start }: Window): Span {
  const year = Number(start.slice(0, 4))
  return { start: `${year - 1}-12-28T00:00:00.000Z`, end: `${year}-01-04T23:59:59.999Z` }
}
