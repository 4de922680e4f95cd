// Whether a file shows its times on the clock of a zone.

import {
  instantAt,
  isoOf,
  minute,
  offsetAt,
  readingsOf,
  type ShownDate,
} from '../../../engine/files/dates.ts'
import { NotDecidable } from '../../../engine/outcome.ts'
import { type Problem, problem } from '../../../engine/problem.ts'
import type { Exports } from '../ask/exports.ts'
import { confirmed, type Fetch } from '../learn/confirmed.ts'
import type { Seasons } from '../learn/seasons.ts'
import type { Span } from '../learn/spans.ts'
import { problemsByAllColumns, type TimeColumn, type Times } from '../learn/time-column.ts'
import { rowsLike, type Window } from '../learn/window.ts'

/** What is wrong with the clocks of zones, each at a stretch of time. */
export async function problemsOfClocks(
  exports: Exports,
  { window, times, asked }: { window: Window; times: Times; asked: readonly ZoneAt[] },
): Promise<Problem[]> {
  const problems: Problem[] = []
  for (const at of asked)
    problems.push(
      ...(await confirmed(exports, window, (fetch) =>
        problemsByAllColumns(times, (column) =>
          problemsOfOffsets(fetch, { window, times, column, ...at }),
        ),
      )),
    )
  return problems
}

/** Each zone in each season, and once where both have one offset. */
export const zonesInSeasons = (
  zones: readonly string[],
  [one, ...more]: Seasons['spans'],
): ZoneAt[] =>
  zones.flatMap((zone) => {
    const offset = ({ start }: Span) => offsetAt(zone, instantAt(start))
    const others = more.filter((span) => offset(span) !== offset(one))
    return [one, ...others].map((span) => ({ zone, span }))
  })

type ZoneAt = { zone: string; span: Span }
type Shown = { window: Window; times: Times; column: TimeColumn } & ZoneAt

/** What is wrong with the times that a file shows in a zone, by the zone's offset at each of them. */
async function problemsOfOffsets(
  fetch: Fetch,
  { window, times, column, span, zone }: Shown,
): Promise<Problem[]> {
  const inUtc = rowsLike(window, await fetch({ ...times.utc, ...span }))
  const inZone = rowsLike(window, await fetch({ ...span, timezone: zone }))
  if (inUtc.length !== inZone.length)
    throw new NotDecidable(
      'clause',
      `${inZone.length} events in ${zone}, and ${inUtc.length} in UTC`,
      'export.timezone.same-events',
      'export.timezone.filter-unmoved',
    )
  const found = inUtc.map((row) => column.timeIn(row))
  const readings = readingsOf(inZone.map(column.textIn)).map(({ dates }) => dates)
  if (readings.length === 0 || found.includes(undefined))
    throw new NotDecidable(
      'freedom',
      `the times of the file in ${zone} cannot be read; the form of dates is not shown`,
    )
  const instants = found as bigint[]
  const clocks = instants.map((instant) => instant + offsetAt(zone, instant))
  // Shares of a day are rounded otherwise in each zone.
  const slack = column.isNumber ? column.unit : 0n
  const apart = (shown: readonly bigint[], wanted: readonly bigint[]) =>
    shown.findIndex((time, at) => (time - (wanted[at] ?? 0n)) ** 2n > slack ** 2n)

  const problemOf = (got: string, expected: string) =>
    problem(`in ${zone} a time is shown as ${got}, not ${expected}`, {
      expected,
      got,
      judged: inZone,
      control: inUtc,
      again: { why: 'the cells of a CSV have to be read' },
    })
  const right = readings.find((dates) => apart(sorted(wallsOf(dates)), sorted(clocks)) < 0)
  if (right) {
    const strange = right.findIndex((date) => isOfAnotherZone(date, zone))
    return strange < 0
      ? []
      : [problemOf(column.textIn(inZone[strange] ?? []), `with the offset of ${zone} behind it`)]
  }
  const walls = wallsOf(readings[0] ?? [])
  // The rows of both files are in one order as a rule: then two of a place are of one event.
  const at = apart(walls, clocks)
  if (isSameEvent(window, inUtc[at], inZone[at]))
    return [problemOf(clockOf(walls[at]), clockOf(clocks[at]))]
  const n = apart(sorted(walls), sorted(clocks))
  return [problemOf(clockOf(sorted(walls)[n]), clockOf(sorted(clocks)[n]))]
}

/** Whether an offset, or a Z, behind a time is not that which its zone has then. */
const isOfAnotherZone = ({ wall, offset }: ShownDate, zone: string): boolean => {
  if (offset === undefined) return false
  const instant = wall - BigInt(offset) * minute
  return instant + offsetAt(zone, instant) !== wall
}

/** Whether two rows show the same beside their times: in most columns that last. */
function isSameEvent({ columns }: Window, one: string[] = [], other: string[] = []): boolean {
  const same = columns.filter((at) => one[at] === other[at])
  return columns.length > 1 && 2 * same.length > columns.length
}

const wallsOf = (dates: readonly ShownDate[]): bigint[] => dates.map(({ wall }) => wall)
const sorted = (times: readonly bigint[]) => times.toSorted((a, b) => (a < b ? -1 : Number(a > b)))
const clockOf = (wall = 0n) => isoOf(wall).slice(0, 19)
