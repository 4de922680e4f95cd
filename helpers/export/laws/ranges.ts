// A range is a predicate on events: no bound means no limit, equivalent forms give equal files,
// nothing outside is included, and counts relate parts to the whole.

import { distinct } from '../../../engine/distinct.ts'
import { day, hour, instantAt, isoOf, second } from '../../../engine/files/dates.ts'
import { countEntries } from '../../../engine/files/entries.ts'
import { rowText } from '../../../engine/files/multiset.ts'
import { isAccepted } from '../../../engine/http/answers.ts'
import { from } from '../../../engine/origin.ts'
import { NotDecidable } from '../../../engine/outcome.ts'
import { type Problem, problem, problemUnless } from '../../../engine/problem.ts'
import type { Faker } from '../../../engine/random.ts'
import { type CsvExport, type Exports, isUsable, needCsv, needPdf } from '../ask/exports.ts'
import { filterBy, mergeQueries, type Query } from '../ask/query.ts'
import type { Filters } from '../learn/filters.ts'
import { type Ranges, unlessUndecided } from '../learn/ranges.ts'
import { noEvents, notYet, type Span } from '../learn/spans.ts'
import { dateColumns } from '../learn/time-column.ts'
import { rowsLike, spanOf, type Window } from '../learn/window.ts'
import type { Look } from './bounds.ts'
import { ask, type Dialogue, held, heldOnce, ifDecided } from './dialogue.ts'
import { learnPdfIdentity } from './pdf-entries.ts'
import { eventsOf } from './words.ts'

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
    // How long the range of a PDF may be is not shown.
    if (!isAccepted(without.answer) || !isAccepted(within.answer)) return []
    const rows = yield* ask(({ fetch }) => fetch(closed))
    const texts: (readonly string[])[] = []
    for (const found of [without, within])
      texts.push((yield* ask(() => needPdf(found, { text: true }))).text ?? [])
    const [left = 0, count = 0] = texts.map((text) => countEntries(text, rows, identity).count)
    const sentence = `a PDF without a range shows ${left} of the ${count} events that one from ${window.start} to ${window.end} shows`
    const facts = { expected: eventsOf(count), got: eventsOf(left), judged: without }
    return problemUnless(left >= count, sentence, { ...facts, control: within })
  }
  return held(exports, window, problemsOfFiles)
}
/** Files without events may differ by a line or two, such as one that names the filter. */
const maxLinesApart = 10
/** The lines around the events of a file are never this many. */
const maxFrameLines = 300
const rangesWithoutEvents = (exports: Exports): Span[] => [noEvents, notYet(exports)]

/**
 * Records that are in files of ranges without events and not in files of filters without matches. Both
 * should hold no events.
 */
export function heldEmptyRanges(exports: Exports, random: Faker) {
  const tag = `none-${random.string.alphanumeric(12).toLowerCase()}`
  const filters: Query[] = [
    { filters: { auditee_id: [random.string.uuid()] } },
    { metadata: { tag } },
  ]
  const spans = rangesWithoutEvents(exports)
  function* problemsOfFiles(): Dialogue<Problem[]> {
    const files: CsvExport[] = []
    for (const query of [...spans, ...filters])
      files.push(yield* ask(({ port }) => port.csv(query, { read: maxFrameLines })))
    const [found, filtered] = [files.slice(0, spans.length), files.slice(spans.length)]
    if (!found.some(isUsable)) needCsv(found[0] as CsvExport)
    const frame = Math.min(...files.filter(isUsable).map(countOf))
    const all = found.flatMap((file, at) => {
      const count = isUsable(file) ? countOf(file) : 0
      if (count <= frame + maxLinesApart && count < maxFrameLines) return []
      const year = spans[at]?.start.slice(0, 4)
      return problem(`${count} records or more in a file of one second of the year ${year}`, {
        expected: `${frame} records, as where nothing passes a filter`,
        got: `${count} records`,
        judged: file,
        control: filtered,
      })
    })
    if (all.length > 0 || frame <= maxLinesApart) return all
    throw new NotDecidable(
      'freedom',
      `every file has ${frame} records or more, also where no event is to be expected; how many lines of a file are events is not shown`,
    )
  }
  return heldOnce(exports, problemsOfFiles)
}

const countOf = ({ csv }: CsvExport): number => csv?.count ?? 0

/** Two parts of the window that share an instant, or lie an hour apart. */
type Parts = { first: Span; second: Span; instant?: Span }

/** Parts that share a bound: both are inclusive, so events at that time are in both. */
export const splitAt = ({ start, end }: Window, cut: string): Parts => ({
  first: { start, end: cut },
  second: { start: cut, end },
  instant: { start: cut, end: cut },
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
  return [{ first: { start, end: isoOf(until) }, second: { start: isoOf(from), end } }]
}

/** Parts of a window do not hold as many events as the whole, plus those in both. */
export const heldParts = (exports: Exports, window: Window, parts: readonly Parts[]) =>
  held(exports, window, () => problemsOfParts(window, parts))

function* problemsOfParts(window: Window, parts: readonly Parts[]): Dialogue<Problem[]> {
  const rowsOf = (span: Span) => ask(({ fetch }) => fetch(span))
  const whole = yield* rowsOf(spanOf(window))
  const problems: Problem[] = []
  for (const { first, second, instant } of parts) {
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
    const sentence = `${until.length} events up to ${first.end} and ${from.length} from ${second.start}: of ${whole.length} in the whole${at}`
    problems.push(
      problem(sentence, {
        expected: `${wanted} events${isTaken ? '' : instant ? ' or more' : ' at most'}`,
        got: eventsOf(sum),
        judged: [until, from],
        control: [whole, twice],
        decides: { 'range_end of one part': first.end, 'range_start of the other': second.start },
      }),
    )
  }
  return problems
}

export const problemsOfStrays = (
  rows: string[][],
  strays: readonly string[][],
  { start, end }: Span,
) =>
  problemUnless(
    strays.length === 0,
    `${strays.length} of ${rows.length} rows are not of ${start} to ${end}`,
    {
      expected: `times from ${start} to ${end}`,
      got: `${strays.length} rows with other times`,
      judged: rows,
      decides: { 'an event of another time': rowText(strays[0] ?? []) },
    },
  )

/** Files of ranges without events show other times in their rows. */
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

const unknownZone =
  'the file does not say in which time zone its times are; the default zone is not shown'

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
