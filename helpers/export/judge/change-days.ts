// Days on which zones change their offsets, among those of known events.

import { day, hour, isoOf, offsetAt } from '../../../engine/files/dates.ts'
import type { Span } from '../learn/spans.ts'
import type { TimeColumn } from '../learn/time-column.ts'

/** An instant, and whether its zone has the offset there with which that day ended. */
type Moment = { time: bigint; isLate: boolean }

/**
 * The stretch of known events on a day on which one of the zones changes its offset: one offset for a whole
 * day is wrong on one side of the change. The day is taken that has most events on its rarer side.
 */
export function findChangeDay(
  zones: readonly string[],
  { times, unit }: Pick<TimeColumn, 'times' | 'unit'>,
): { zone: string; span: Span } | undefined {
  if (unit > hour) return undefined
  const days = zones.flatMap((zone) => changeDaysOf(zone, times).map((among) => ({ zone, among })))
  const best = days.toSorted(
    (a, b) => rarer(b.among) - rarer(a.among) || b.among.length - a.among.length,
  )[0]
  const sorted = best?.among.map(({ time }) => time).sort((a, b) => (a < b ? -1 : Number(a > b)))
  const [first, last] = [sorted?.[0], sorted?.at(-1)]
  if (!best || first === undefined || last === undefined) return undefined
  return { zone: best.zone, span: { start: isoOf(first), end: isoOf(last + unit) } }
}

/** The known events of each day on which a zone changes its offset. */
function changeDaysOf(zone: string, times: readonly bigint[]): Moment[][] {
  const days = new Map<bigint, Moment[]>()
  for (const time of times) {
    const own = offsetAt(zone, time)
    const date = (time + own) / day
    const begin = offsetAt(zone, date * day - own)
    if (begin === offsetAt(zone, (date + 1n) * day - 1n - own)) continue
    days.set(date, [...(days.get(date) ?? []), { time, isLate: own !== begin }])
  }
  return [...days.values()]
}

function rarer(moments: readonly Moment[]): number {
  const late = moments.filter(({ isLate }) => isLate).length
  return Math.min(late, moments.length - late)
}
