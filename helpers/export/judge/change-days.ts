// Days on which zones change their offsets, among those of known events.

import { day, hour, isoOf, offsetAt } from '../../../engine/files/dates.ts'
import type { Span } from '../learn/spans.ts'
import type { TimeColumn } from '../learn/time-column.ts'

/** An instant, and whether its zone has the offset there with which that day ended. */
type Moment = { time: bigint; isLate: boolean }

/**
 * Of each zone the stretch of known events on a day on which it changes its offset: one offset for a whole
 * day is wrong on one side of the change. The day is taken that has most events on its rarer side.
 */
export function changeDaysOf(
  zones: readonly string[],
  { times, unit }: Pick<TimeColumn, 'times' | 'unit'>,
): { zone: string; span: Span }[] {
  if (unit > hour) return []
  return zones.flatMap((zone) => {
    const days = new Map<bigint, Moment[]>()
    for (const time of times) {
      const own = offsetAt(zone, time)
      const date = (time + own) / day
      const begin = offsetAt(zone, date * day - own)
      if (begin === offsetAt(zone, (date + 1n) * day - 1n - own)) continue
      days.set(date, [...(days.get(date) ?? []), { time, isLate: own !== begin }])
    }
    const [best] = [...days.values()].toSorted((a, b) => rarer(b) - rarer(a) || b.length - a.length)
    if (!best) return []
    const sorted = best.map(({ time }) => time).sort((a, b) => (a < b ? -1 : Number(a > b)))
    const [first = 0n, last = first] = [sorted[0], sorted.at(-1)]
    return [{ zone, span: { start: isoOf(first), end: isoOf(last + unit) } }]
  })
}

function rarer(moments: readonly Moment[]): number {
  const late = moments.filter(({ isLate }) => isLate).length
  return Math.min(late, moments.length - late)
}
