import { inOrderOf } from '../../../engine/files/by-titles.ts'
import { dayMs, millisecond, readingsOf } from '../../../engine/files/dates.ts'
import { isLine, isSurelyEvent, lineForm } from '../../../engine/files/line-frame.ts'
import { columnsOf } from '../../../engine/files/multiset.ts'
import { from } from '../../../engine/origin.ts'
import { NotDecidable } from '../../../engine/outcome.ts'
import { isUuid } from '../../../engine/settings/parsers.ts'
import { shown } from '../../../engine/shown.ts'
import { premise } from '../../service/answers.ts'
import { notGiven } from '../ask/decidable.ts'
import { type CsvExport, type Exports, isRejected, needCsv } from '../ask/exports.ts'
import type { Query } from '../ask/query.ts'
import { wholeRecords } from './confirmed.ts'
import { unlessUndecided } from './ranges.ts'
import { dateColumns, type TimeColumn } from './time-column.ts'
import type { Window } from './window.ts'

export type Stretch = { start: string; end: string; count: number }

export type AroundLimit = Awaited<ReturnType<typeof findAroundLimit>>

/** Before all events of any service. */
export const earliest = Date.parse('1971-01-02T00:00:00Z')
const maxSteps = 60

/** `at`: as many events as the limit, or the most below it; `over`: one more, or the fewest above it. */
export async function findAroundLimit(exports: Exports, window: Window, limit: number) {
  const countOf = createCounter(exports, window, limit)
  const { start, whole } = await findStart(countOf, window, limit)
  const [below, above] = await bisected(countOf, { start, whole, limit })
  const alike = `more than ${limit / 10} events share the time ${iso(above.time)}; a range with just over ${limit} events is needed`
  premise(above.count !== more, 'data', alike)
  const half = await findPart(countOf, start, { below, limit })
  const stretch = ({ time, count }: Point) => ({ start: iso(start), end: iso(time), count })
  return { at: stretch(below), over: stretch(above), half: stretch(half) }
}

/** The last end with at most the limit, and the first beyond it. */
async function bisected(
  countOf: CountOf,
  { start, whole, limit }: { start: number; whole: Point; limit: number },
): Promise<[below: Point, above: Point]> {
  let below: Point = { time: start - 1, count: 0, times: () => [], files: [] }
  let above = whole
  let areTimesRight = true
  for (let step = 0; step < maxSteps && above.time - below.time > 1; step += 1) {
    if (below.count === limit && above.count === limit + 1) break
    const wanted = below.count === limit ? limit + 1 : limit
    const shownTime = areTimesRight ? timeAfter(wanted, above) : Number.NaN
    const isBetween = shownTime > below.time && shownTime < above.time
    // Estimates may converge slowly: each other step bisects.
    const share = step % 2 === 1 ? 0.5 : shareBelow(below.count, above.count, limit)
    const time = isBetween ? shownTime : below.time + (above.time - below.time) * share
    const inside = Math.min(above.time - 1, Math.max(below.time + 1, time))
    const point = await countOf(start, Math.round(inside))
    if (isBetween && point.count !== wanted) areTimesRight = false
    if (point.count <= limit) below = point
    else above = point
  }
  return [below, above]
}

/** Between the last of so many events and the next one, as the file shows their times. */
function timeAfter(count: number, { count: all, times }: Point): number {
  if (all === more) return Number.NaN
  const [last = Number.NaN, next = Number.NaN] = times().slice(count - 1, count + 1)
  return Math.floor((last + next) / 2)
}

const mostOfPart = 0.7
const maxStepsOfPart = 20

/** Clearly fewer events than up to a point; half way in time there may be none. */
async function findPart(countOf: CountOf, start: number, { below, limit }: PartOf): Promise<Point> {
  let tooEarly = start
  let tooLate = below.time
  for (let step = 1; ; step += 1) {
    const point = await countOf(start, Math.round((tooEarly + tooLate) / 2))
    const isPart = point.count > 0 && point.count <= limit * mostOfPart
    if (isPart || step === maxStepsOfPart) return point
    if (point.count > 0) tooLate = point.time
    else tooEarly = point.time
  }
}

type PartOf = { below: Point; limit: number }

/** How many events a range from the start to this time has, and the CSVs that show it. */
type Point = {
  time: number
  count: number
  /** in milliseconds, earliest first; their zone is unknown */
  times: () => number[]
  files: CsvExport[]
}

type CountOf = (start: number, end: number) => Promise<Point>

const more = Number.POSITIVE_INFINITY

/** A count may divide this many rejected ranges: a CSV may have a limit of its own. */
const mostDivisions = 6

/** Counts the events of ranges; those of a range whose CSV is rejected, by its parts. */
export function createCounter(
  exports: Exports,
  window: Window,
  limit: number,
  { filter = {}, divisions: most = mostDivisions }: { filter?: Query; divisions?: number } = {},
): CountOf {
  const enough = limit + Math.ceil(limit / 3) + window.lines.before + window.lines.behind
  const spanOfLimit = lengthOf(window, limit)
  const countOf = async (start: number, end: number, divisions: Divisions): Promise<Point> => {
    const query = { ...filter, start: iso(start), end: iso(end) }
    const counted = await countOrRejection(exports, window, query, enough)
    const isDivisible = end - start > 1 && divisions.left > 0
    if (counted.kind === 'rejected' && isDivisible) {
      divisions.left -= 1
      const middle = Math.floor(end - Math.min(end - start, spanOfLimit) / 2)
      return countParts({ start, middle, end }, (from, to) => countOf(from, to, divisions))
    }
    const { count, cut, times, file } = eventCountOf(counted)
    const few = `of ${enough} records ${count} look like events; ${openRecords}`
    premise(!cut || count > limit, 'freedom', few)
    return { time: end, count: cut ? more : count, times, files: [file] }
  }
  return (start, end) => countOf(start, end, { left: most })
}

type Divisions = { left: number }

/** About how long a range with as many events as the limit is, in milliseconds. */
const lengthOf = ({ start, end, rows }: Window, limit: number): number =>
  (Math.max(Date.parse(end) - Date.parse(start), 1) * limit) / rows.length

/** Both bounds are inclusive: events at the middle are in both parts. */
async function countParts(
  { start, middle, end }: { start: number; middle: number; end: number },
  countOf: CountOf,
): Promise<Point> {
  const first = await countOf(start, middle)
  const second = await countOf(middle, end)
  const shared = await countOf(middle, middle)
  const sum = first.count + second.count
  return {
    time: end,
    count: sum === more ? more : sum - shared.count,
    times: () => [...first.times(), ...second.times().slice(shared.count)],
    files: [...first.files, ...second.files, ...shared.files],
  }
}

async function findStart(countOf: CountOf, window: Window, limit: number) {
  const end = Date.parse(window.end)
  for (let back = lengthOf(window, limit) * 1.1; ; back = Math.max(back * 2, dayMs)) {
    const start = Math.max(earliest, Math.round(end - back))
    const whole = await countOf(start, end)
    if (whole.count > limit) return { start, whole }
    const few = `the export of all events until ${window.end} has ${whole.count} rows; more than ${limit} are needed`
    premise(start !== earliest, 'data', few)
  }
}

export async function findMostBelow(exports: Exports, window: Window, limit: number) {
  const countOf = createCounter(exports, window, limit)
  const end = Date.parse(window.end)
  // A CSV of everything may be rejected, and its parts be too many.
  const all = await countOf(earliest, end).catch(unlessUndecided)
  if (all && all.count <= limit) return { start: iso(earliest), end: iso(end), count: all.count }
  return (await findAroundLimit(exports, window, limit)).at
}

function shareBelow(below: number, above: number, limit: number): number {
  if (above === more) return 0.5
  const share = (limit + 0.5 - below) / (above - below)
  return Math.min(0.95, Math.max(0.05, share))
}

export const iso = (time: number) => new Date(time).toISOString()

type EventCount = {
  kind: 'counted'
  count: number
  rows: string[][]
  cut: boolean
  /** in milliseconds, earliest first; their zone is unknown */
  times: () => number[]
  file: CsvExport
}
type Rejection = { kind: 'rejected'; file: CsvExport }

/** Counts the events of one CSV; ends the clause if the CSV is rejected. */
export const countEvents = async (
  exports: Exports,
  window: Window,
  query: Query,
  read?: number,
): Promise<EventCount> => eventCountOf(await countOrRejection(exports, window, query, read))

function eventCountOf(counted: EventCount | Rejection): EventCount {
  if (counted.kind === 'counted') return counted
  needCsv(counted.file)
  throw new NotDecidable(...notGiven(counted.file.answer))
}

const countOrRejection = (exports: Exports, window: Window, query: Query, read?: number) =>
  exports.once(
    `events, of ${read ?? 'all'} records, of ${exports.text(query)}`,
    async (inner): Promise<EventCount | Rejection> => {
      const file = await inner.csv(query, { read })
      if (isRejected(file)) return { kind: 'rejected', file }
      const rows = eventsAmong(window, inOrderOf(window.header, wholeRecords(file)))
      const ids = idColumns(window.rows)
      const isUnique = (at: number) => new Set(rows.map((row) => row[at])).size === rows.length
      const areEvents = ids.length > 0 ? ids.some(isUnique) : !haveParts(window.rows)
      premise(areEvents, 'freedom', `several records may be of one event; ${openRecords}`)
      return {
        kind: 'counted',
        count: rows.length,
        rows: from(rows, file),
        cut: needCsv(file).cut,
        times: () => timesIn(rows, window.rows),
        file,
      }
    },
  )

function eventsAmong({ shape }: Window, records: string[][]): string[][] {
  const isKnown = (each: string[]) => isLine(shape, each) || shape.known.has(lineForm(each))
  const rows = records.filter((each) => !isKnown(each))
  const strange = rows.find((row) => !isSurelyEvent(shape, row))
  const unlike = `a record is ${shown(strange?.join(','))}, neither like an event nor like a line around them`
  premise(strange === undefined, 'freedom', `${unlike}; ${openRecords}`)
  return rows
}

const openRecords = 'the contract does not say what a record represents'

function timesIn(rows: string[][], known: string[][]): number[] {
  const different = ({ times }: TimeColumn) => new Set(times).size
  const [column] = dateColumns(known).sort((a, b) => different(b) - different(a))
  const times = rows.flatMap((row) => column?.timeIn(row) ?? [])
  return times.map((time) => Number(time / millisecond)).sort((a, b) => a - b)
}

/** Whether each row has an id of its own: then each row is an event. */
export const haveIds = (rows: string[][]): boolean => idColumns(rows).length > 0

const idColumns = (rows: string[][]): number[] =>
  columnsOf(rows.length > 1 ? rows : []).filter((column) =>
    areIds(rows.map((row) => row[column] ?? '')),
  )

/** Whether rows differ in one cell at most, and not in their time: records of one event look like that. */
function haveParts(rows: string[][]): boolean {
  const times = dateColumns(rows).map(({ place }) => place)
  return columnsOf(rows).some((column) => {
    const others = rows.map((row) => row.toSpliced(column, 1))
    const isShared = !times.includes(column) && others.some((row) => row.some(isUuid))
    return isShared && new Set(others.map((row) => row.join('\n'))).size < others.length
  })
}

/** Whether texts identify their rows: all differ, and they do not number the rows. */
function areIds(texts: readonly string[]): boolean {
  if (new Set(texts).size < texts.length) return false
  if (texts.every(isUuid)) return true
  const areTokens = texts.every((text) => /^[A-Za-z\d_.-]*\d[A-Za-z\d_.-]*$/.test(text))
  const numbersRows = texts.every((text, at) => Number(text) === Number(texts[0]) + at)
  return areTokens && !numbersRows && readingsOf([...texts]).length === 0
}
