// Whether a filtered file shows its times in the requested zone.

import { hour, readingsOf } from '../../../engine/files/dates.ts'
import { type Problem, problem } from '../../../engine/problem.ts'
import { cellsToUnderstand } from '../ask/breaches.ts'
import type { Exports } from '../ask/exports.ts'
import type { Query } from '../ask/query.ts'
import type { Span } from '../learn/spans.ts'
import { inZones, type TimeColumn, type Times } from '../learn/time-column.ts'
import { eventRows, type Window } from '../learn/window.ts'

export async function findZonedColumn(
  exports: Exports,
  { window, times, span }: { window: Window; times: Times; span: Span },
  timezone: string,
): Promise<TimeColumn | undefined> {
  const rowsIn = async (query: Query) =>
    eventRows(window, (await exports.csvFile({ ...span, ...query })).records)
  const [plain, inZone] = [await rowsIn({}), await rowsIn({ timezone })]
  return inZones(times).columns.find(
    (column) =>
      // Most events have the same day in two zones.
      column.unit < hour && !column.isNumber && !hasSameTimes(column, plain, inZone),
  )
}

/** The times of the file are those of the file without a zone. */
export function problemsOfUnzonedTimes(
  described: string,
  column: TimeColumn,
  { plain, rows }: { plain: string[][]; rows: string[][] },
): Problem[] {
  const [first] = rows
  if (!first || !hasSameTimes(column, plain, rows)) return []
  return [
    problem(`the times in the ${described} are those of the file without a time zone`, {
      expected: 'times in that time zone',
      got: column.textIn(first),
      judged: rows,
      control: plain,
      again: cellsToUnderstand,
    }),
  ]
}

/** Languages write dates differently: compare the clock. */
function hasSameTimes({ textIn }: TimeColumn, one: string[][], other: string[][]): boolean {
  const clocksOf = (rows: string[][]) =>
    readingsOf(rows.map(textIn)).map(({ dates }) => `${dates.map(({ wall }) => wall).sort()}`)
  const clocks = clocksOf(one)
  return clocksOf(other).some((each) => clocks.includes(each))
}
