import {
  type DateReading,
  dateIn,
  hour,
  instantAt,
  instantOf,
  isoOf,
  minute,
  readingsOf,
  unitOf,
} from '../../../engine/files/dates.ts'
import { columnsOf, multisetOf } from '../../../engine/files/multiset.ts'
import { isAccepted } from '../../../engine/http/answers.ts'
import { NotDecidable } from '../../../engine/outcome.ts'
import type { Problem } from '../../../engine/problem.ts'
import type { Exports } from '../ask/exports.ts'
import type { Query, Span } from '../ask/query.ts'
import { rowsSeen, spanOf, type Window } from './window.ts'

/** A column that may show the time that ranges use. */
export type TimeColumn = ReturnType<typeof createTimeColumn>

/** How the file shows the times of events. It is learned, so it can at most warn. */
export type Times = Awaited<ReturnType<typeof learnTimes>>

/** The same with the columns that depend on the zone, if any; numbers may be finer. */
export function inZones(times: Times): Times {
  const [first, ...others] = times.dates
  return first ? { ...times, columns: [first, ...others] } : times
}

const namesOfUtc = ['UTC', 'Etc/UTC']

/** The rows of the export of a range. */
type Part = { span: Span; rows: string[][] }

/** Learns which column shows the time of events: its values lie in the requested ranges. */
export async function learnTimes(exports: Exports, window: Window) {
  const utc = await acceptedUtc(exports, window)
  const fetchRows = async (span: Span) =>
    rowsSeen(window, (await exports.csv({ ...span, ...utc })).csv)
  const fetchPart = async (span: Span): Promise<Part> => ({ span, rows: await fetchRows(span) })
  const whole = await fetchPart(spanOf(window))
  const { rows } = whole
  const likely = dateColumns(rows).filter(
    (column) => countStrays(column, [whole]) * 3 <= rows.length,
  )
  const median = sorted(likely[0]?.times ?? [])[rows.length >> 1]
  if (median === undefined) throw new NotDecidable('freedom', noColumn)

  const middle = isoOf(median)
  const until = await fetchPart({ ...whole.span, end: middle })
  const since = await fetchPart({ ...whole.span, start: middle })
  const strays = likely.map((column) => countStrays(column, [whole, until, since]))
  const fitting = likely.filter((_, at) => strays[at] === Math.min(...strays))
  const finestOf = async (some: readonly TimeColumn[]) => {
    const finest = some.filter((column) => !some.some((other) => isCoarser(column, other)))
    const columns: TimeColumn[] = []
    for (const column of finest) {
      const inUtc = column.inUtc || (await liesWhereShown(column, rows, fetchRows))
      columns.push({ ...column, inUtc })
    }
    return columns
  }
  /** those that match ranges best; several if they match equally */
  const columns = (await finestOf(fitting)) as [TimeColumn, ...TimeColumn[]]
  /** those that are not numbers but dates in a zone, even if coarser */
  const dates = await finestOf(fitting.filter(({ isNumber }) => !isNumber))
  return { utc, rows, shown: asShownIn(window, rows), columns, dates }
}

const countStrays = (column: TimeColumn, parts: readonly Part[]): number =>
  parts.flatMap(({ rows, span }) => straysAmong(column, rows, span)).length

/** The same events as the window shows them, which may write times otherwise than UTC that was asked for. */
function asShownIn({ rows: known, columns }: Window, rows: string[][]): string[][] {
  const dates = dateColumns(rows).map(({ place }) => place)
  const others = columns.filter((each) => !dates.includes(each))
  const keyOf = (row: string[]) => [...multisetOf([row], others).keys()].join()
  const all = new Map(known.map((row) => [keyOf(row), row]))
  // Without ids, events may differ in their times alone.
  return all.size < known.length ? rows : rows.map((row) => all.get(keyOf(row)) ?? row)
}

const noColumn =
  'no column of the file shows the time of events in a form that can be read; the contract does not specify its fields'

/** The problems common to all candidate columns: none if one column has none, undecided if one is undecided. */
export function* problemsByAllColumns<Question>(
  { columns }: Times,
  judge: (column: TimeColumn) => Generator<Question, Problem[], unknown>,
): Generator<Question, Problem[], unknown> {
  let problems: Problem[] = []
  let untold: NotDecidable | undefined
  for (const column of columns)
    try {
      problems = yield* judge(column)
      if (problems.length === 0) return []
    } catch (error) {
      if (!(error instanceof NotDecidable)) throw error
      untold ??= error
    }
  if (untold) throw untold
  return problems
}

export async function acceptedUtc(exports: Exports, window: Window): Promise<Query> {
  for (const timezone of namesOfUtc) {
    const { answer } = await exports.csv({ ...spanOf(window), timezone })
    if (isAccepted(answer)) return { timezone }
  }
  return {}
}

/** Every column of dates, once for each way to read it; none if am and pm stand in a column of their own. */
export function dateColumns(rows: readonly string[][]): TimeColumn[] {
  const isHalved = (place: number) => rows.every((row) => isHalf.test(row[place] ?? ''))
  if (columnsOf(rows).some(isHalved)) return []
  return columnsOf(rows).flatMap((place) => {
    const textIn = (row: readonly string[]) => row[place] ?? ''
    return readingsOf(rows.map(textIn)).map((reading) => createTimeColumn(place, textIn, reading))
  })
}

const isHalf = /^[ap]\.?m\.?$/i

function createTimeColumn(
  place: number,
  textIn: (row: readonly string[]) => string,
  { order, dates }: DateReading,
) {
  const times = dates.map(instantOf)
  return {
    place,
    order,
    textIn,
    /** its instant; read as UTC if the text has no offset */
    timeIn: (row: readonly string[]): bigint | undefined => {
      const shown = dateIn(textIn(row), order)
      return shown && instantOf(shown)
    },
    times,
    /** the coarsest unit that divides all shown times */
    unit: unitOf(times),
    /** the text is a number, which has no zone */
    isNumber: order === 'epoch',
    /** the times are known to be in UTC, from their texts or from ranges */
    inUtc: dates.every(({ offset }) => offset !== undefined),
  }
}

export const sorted = (instants: readonly bigint[]): bigint[] =>
  instants.toSorted((a, b) => (a < b ? -1 : Number(a > b)))

export const rowsWithin = (rows: string[][], { columns: [{ timeIn }] }: Times, span: Span) =>
  rows.filter((row) => isIn(span, timeIn(row)))

/** A time counts as outside if rounding does not explain it. */
export const straysAmong = (column: TimeColumn, rows: string[][], span: Span, by = column.unit) =>
  rows.filter((row) => column.timeIn(row) !== undefined && !isIn(span, column.timeIn(row), by))

/** Whether a time is in a range, or no further outside than this. */
export const isIn = ({ start, end }: Span, time: bigint | undefined, by = 0n): boolean =>
  time !== undefined && time >= instantAt(start) - by && time <= instantAt(end) + by

/** Whether a column shows less of the same: the date beside the whole time. */
const isCoarser = (column: TimeColumn, other: TimeColumn): boolean =>
  column.unit > other.unit &&
  column.times.every(
    (time, n) => time === (other.times[n] ?? 0n) - ((other.times[n] ?? 0n) % column.unit),
  )

/** Zones differ by at least a quarter of an hour: a range of minutes shows where a time lies. */
async function liesWhereShown(
  { times, unit, textIn }: TimeColumn,
  rows: readonly string[][],
  fetchRows: (span: Span) => Promise<string[][]>,
): Promise<boolean> {
  if (unit >= hour) return false
  for (const share of [1 / 6, 1 / 2, 5 / 6]) {
    const at = Math.floor(rows.length * share)
    const time = times[at] ?? 0n
    const text = textIn(rows[at] ?? [])
    const span = { start: isoOf(time - 5n * minute), end: isoOf(time + unit + 5n * minute) }
    if (!(await fetchRows(span)).some((row) => textIn(row) === text)) return false
  }
  return true
}
