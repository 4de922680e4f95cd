import {
  type DateReading,
  dateIn,
  hour,
  instantAt,
  instantOf,
  isoOf,
  minute,
  type Order,
  readingsOf,
  unitOf,
} from '../../../engine/files/dates.ts'
import { isAccepted } from '../../../engine/http/answers.ts'
import { NotDecidable } from '../../../engine/outcome.ts'
import type { Problem } from '../../../engine/problem.ts'
import { columnName, placeOf } from '../../service/export-facts.ts'
import type { Exports } from '../ask/exports.ts'
import type { Query } from '../ask/query.ts'
import { eventRows, spanOf, type Window } from './window.ts'

/** A column that may show the time by which ranges go; or two, a date and the time of day. */
export type TimeColumn = {
  /** where it is, from 0 on; a date and the time of day are two */
  places: readonly number[]
  /** how a text of numbers is ordered there */
  order: Order
  /** what a row shows there */
  textIn(row: readonly string[]): string
  /** the instant that it shows, taken for UTC where the text tells no offset */
  timeIn(row: readonly string[]): bigint | undefined
  /** of the window's rows */
  times: bigint[]
  /** how finely they are shown: the coarsest unit of which all times are multiples, or a share of a day */
  unit: bigint
  /** the times are known to be in UTC: the texts tell it, or ranges do */
  inUtc: boolean
  /** what is shown is a number, which is in no zone */
  isNumber: boolean
}

/** How the file shows when events were: learned, so what rests on it alone can warn at most. */
export type Times = {
  /** what makes the file show times in UTC, where the service takes it */
  utc: Query
  /** of the window, shown so */
  rows: string[][]
  /** those that fit ranges best; several where they fit equally well */
  columns: [TimeColumn, ...TimeColumn[]]
  /** of those that fit as well the ones that are no numbers: what is written in a zone, be it less fine */
  dates: TimeColumn[]
}

/** The same by what is written in a zone, where the file shows such: beside it a number may be finer. */
export function inZones(times: Times): Times {
  const [first, ...others] = times.dates
  return first ? { ...times, columns: [first, ...others] } : times
}

const namesOfUtc = ['UTC', 'Etc/UTC']

/** Learns which column shows the time of events: its values lie in the ranges that were asked for. */
export async function learnTimes(exports: Exports, window: Window): Promise<Times> {
  const utc = await acceptedUtc(exports, window)
  const rowsIn = async (span: Query) => {
    const { csv } = await exports.csv({ ...span, ...utc })
    return eventRows(window, csv?.records ?? [])
  }
  const rows = await rowsIn(spanOf(window))
  const { declared, found } = exports.facts
  const places = declared.time?.columns.map((name) => placeOf(name, 'the time', window.header))
  const likely = dateColumns(rows).filter(
    (column) =>
      (!places || column.places.join() === places.join()) &&
      countStrays(column, rows, spanOf(window)) * 3 <= rows.length,
  )
  const middle = likely[0]?.times.toSorted((a, b) => (a < b ? -1 : 1))[rows.length >> 1]
  if (middle === undefined) throw new NotDecidable('freedom', noColumn)

  const at = isoOf(middle)
  const halves = [
    { start: window.start, end: at },
    { start: at, end: window.end },
  ]
  const strays = likely.map((column) => countStrays(column, rows, spanOf(window)))
  for (const half of halves) {
    const part = await rowsIn(half)
    for (const [n, column] of likely.entries())
      strays[n] = (strays[n] ?? 0) + countStrays(column, part, half)
  }
  const fewest = Math.min(...strays)
  const fitting = likely.filter((_, n) => strays[n] === fewest)
  const finestOf = (some: readonly TimeColumn[]) =>
    some.filter((column) => !some.some((other) => isCoarser(column, other)))
  const [finest, dated] = [finestOf(fitting), finestOf(fitting.filter((each) => !each.isNumber))]
  const known = new Map<TimeColumn, TimeColumn>()
  for (const column of new Set([...finest, ...dated])) {
    const isSaid = declared.time?.zone === 'UTC'
    const inUtc = column.inUtc || isSaid || (await liesWhereShown(column, rows, rowsIn))
    known.set(column, { ...column, inUtc })
  }
  const knownOf = (some: readonly TimeColumn[]) => some.flatMap((each) => known.get(each) ?? [])
  const columns = knownOf(finest) as Times['columns']
  if (columns.length === 1)
    found.time = {
      columns: columns[0].places.map((place) => columnName(place, window.header)),
      zone: columns[0].inUtc ? 'UTC' : 'not known',
    }
  return { utc, rows, columns, dates: knownOf(dated) }
}

const noColumn =
  'no column of the file shows the time of events in a form that can be read; its fields are not shown'

/**
 * What each of the columns that may be the one finds wrong: nothing, if one of them finds nothing, and
 * nothing that can be said, if one of them cannot tell.
 */
export async function problemsByAllColumns(
  { columns }: Times,
  judge: (column: TimeColumn) => Promise<Problem[]>,
): Promise<Problem[]> {
  let problems: Problem[] = []
  let untold: NotDecidable | undefined
  for (const column of columns) {
    const found = await judge(column).catch(orUndecided)
    if (found instanceof NotDecidable) untold ??= found
    else if (found.length === 0) return []
    else problems = found
  }
  if (untold) throw untold
  return problems
}

function orUndecided(error: unknown): NotDecidable {
  if (error instanceof NotDecidable) return error
  throw error
}

/** What makes a file show times in UTC, where the service accepts it. */
export async function acceptedUtc(exports: Exports, window: Window): Promise<Query> {
  for (const timezone of namesOfUtc) {
    const { answer } = await exports.csv({ ...spanOf(window), timezone })
    if (isAccepted(answer)) return { timezone }
  }
  return {}
}

/** Every column whose cells are dates throughout, with the hours, or am and pm, of other columns. */
export function dateColumns(rows: readonly string[][]): TimeColumn[] {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0)
  const singles = Array.from({ length: width }, (_, column) => [column])
  const hours = singles
    .flat()
    .filter((column) => rows.every((row) => isClock.test(row[column] ?? '')))
  const pairs = hours.flatMap((column) => [
    [column - 1, column],
    [column + 1, column],
  ])
  const half = singles.find(([column = 0]) => rows.every((row) => isHalf.test(row[column] ?? '')))
  const columnsOf = (places: readonly number[]) => {
    const textIn = (row: readonly string[]) => places.map((place) => row[place] ?? '').join(' ')
    return readingsOf(rows.map(textIn)).map((reading) => createTimeColumn(places, textIn, reading))
  }
  return [...singles, ...pairs].flatMap((places) => {
    const halved = half ? columnsOf([...places, ...half]) : []
    return halved.length > 0 ? halved : columnsOf(places)
  })
}

const isClock = /^\d{1,2}[:.]\d{2}/
const isHalf = /^[ap]\.?m\.?$/i

function createTimeColumn(
  places: readonly number[],
  textIn: TimeColumn['textIn'],
  { order, dates, unit }: DateReading,
): TimeColumn {
  const times = dates.map(instantOf)
  return {
    places,
    order,
    textIn,
    timeIn: (row) => {
      const shown = dateIn(textIn(row), order)
      return shown && instantOf(shown)
    },
    times,
    unit: unit ?? unitOf(times),
    isNumber: order === 'epoch' || order === 'days',
    inUtc: dates.every(({ offset }) => offset !== undefined),
  }
}

/** How many of the rows show a time that is not in the range, by more than a rounding. */
export function countStrays(
  { timeIn, unit }: TimeColumn,
  rows: readonly string[][],
  { start, end }: Query,
): number {
  const from = start === undefined ? undefined : instantAt(start) - unit
  const to = end === undefined ? undefined : instantAt(end) + unit
  return rows.filter((row) => {
    const time = timeIn(row)
    if (time === undefined) return false
    return (from !== undefined && time < from) || (to !== undefined && time > to)
  }).length
}

/** Whether a column shows what the other does, but less of it: the date beside the whole time. */
const isCoarser = (column: TimeColumn, other: TimeColumn): boolean =>
  column.unit > other.unit &&
  column.times.every(
    (time, n) => time === (other.times[n] ?? 0n) - ((other.times[n] ?? 0n) % column.unit),
  )

/** Zones are a quarter of an hour apart at least: a range of minutes tells where a time lies. */
async function liesWhereShown(
  { times, unit, textIn }: TimeColumn,
  rows: readonly string[][],
  rowsIn: (span: Query) => Promise<string[][]>,
): Promise<boolean> {
  if (unit >= hour) return false
  for (const share of [1 / 6, 1 / 2, 5 / 6]) {
    const at = Math.floor(rows.length * share)
    const [time = 0n, text] = [times[at], textIn(rows[at] ?? [])]
    const span = { start: isoOf(time - 5n * minute), end: isoOf(time + unit + 5n * minute) }
    if (!(await rowsIn(span)).some((row) => textIn(row) === text)) return false
  }
  return true
}
