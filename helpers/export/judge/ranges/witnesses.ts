// Events that the file shows at known times, and whether they are in a range.

import { distinct } from '../../../../engine/distinct.ts'
import { instantAt, isoOf, minute } from '../../../../engine/files/dates.ts'
import { originOf } from '../../../../engine/origin.ts'
import { NotDecidable } from '../../../../engine/outcome.ts'
import type { Problem } from '../../../../engine/problem.ts'
import { confirmed, type Fetch } from '../../learn/confirmed.ts'
import type { Ranges } from '../../learn/ranges.ts'
import type { Span } from '../../learn/spans.ts'
import { problemsByAllColumns, type TimeColumn, type Times } from '../../learn/time-column.ts'
import type { Window } from '../../learn/window.ts'

/** A time that the file shows of an event. */
export type Witness = { time: bigint; text: string }

const maxWitnesses = 8
export const minWitnesses = 6
/** So many are never all rounded to the same side by chance. */
export const maxInCrowd = 24
const maxFromEdge = 40

/** What a judgement of bounds looks at: the file, and one column that may show the time of events. */
export type Look = { fetch: Fetch; window: Window; times: Times; column: TimeColumn }

/** Times of the file near its end or its beginning, so that ranges from or up to them hold little. */
export function witnessesIn(
  times: Times,
  column: TimeColumn,
  where: 'early' | 'late',
  maxCount = maxWitnesses,
): Witness[] {
  const texts = new Map(times.rows.map((row, n) => [column.times[n] ?? 0n, column.textIn(row)]))
  const sorted = distinct(column.times)
  const half = Math.max(minWitnesses, Math.min(maxFromEdge, sorted.length >> 1))
  const part = where === 'early' ? sorted.slice(0, half) : sorted.slice(-half)
  const count = Math.min(maxCount, part.length)
  if (count < minWitnesses)
    throw new NotDecidable(
      'data',
      `the window shows events at ${count} different times; ${minWitnesses} are needed`,
    )
  return Array.from({ length: count }, (_, n) => {
    const time = part[Math.floor((n * part.length) / count)] ?? 0n
    return { time, text: texts.get(time) ?? '' }
  })
}

/** Whether the event of a witness, or another that shows the same time, is in a range. */
export const isWithin = async (look: Look, witness: Witness, range: Span): Promise<boolean> =>
  (await fetchWithin(look, witness, range)).isShown

/** The same with the rows that show it. */
export async function fetchWithin(
  { fetch, times, column }: Look,
  { text }: Witness,
  range: Span,
): Promise<{ rows: string[][]; isShown: boolean }> {
  const rows = await fetch({ ...times.utc, ...range })
  return { rows, isShown: rows.some((row) => column.textIn(row) === text) }
}

/** From the beginning of the window; where that is later, from a little before the end. */
export const rangeUpTo = ({ window }: Look, end: bigint): Span => ({
  start: end < instantAt(window.start) ? isoOf(end - minute) : window.start,
  end: isoOf(end),
})

/** Up to the end of the window; where that is earlier, up to a little after the start. */
export const rangeFrom = ({ window }: Look, start: bigint): Span => ({
  start: isoOf(start),
  end: start > instantAt(window.end) ? isoOf(start + minute) : window.end,
})

/** The bound that is made from a time. */
export type Moved = (time: bigint) => bigint

export type Presence = ReturnType<typeof createPresence>

/** Whether events at the witnesses' times are in a range that is made from them, moved by a little. */
export function createPresence(
  look: Look,
  witnesses: readonly Witness[],
  range: (time: bigint) => Span,
) {
  const asked = new Set<number>()
  const isIn = async (witness: Witness, by: bigint | Moved) => {
    const time = typeof by === 'bigint' ? witness.time + by : by(witness.time)
    const { rows, isShown } = await fetchWithin(look, witness, range(time))
    for (const each of originOf(rows)) asked.add(each)
    return isShown
  }
  return {
    /** the exchanges of the ranges that were asked for so far */
    asked: () => [...asked],
    some: async (by: bigint | Moved) => {
      for (const witness of witnesses) if (await isIn(witness, by)) return true
      return false
    },
    share: async (by: bigint | Moved) => {
      let found = 0
      for (const witness of witnesses) if (await isIn(witness, by)) found += 1
      return found / witnesses.length
    },
    every: async (by: bigint | Moved) => {
      for (const witness of witnesses) if (!(await isIn(witness, by))) return false
      return true
    },
  }
}

/** The first few of them, as the file shows them. */
export const describeWitnesses = (witnesses: readonly Witness[]) =>
  witnesses
    .slice(0, 3)
    .map(({ text }) => text)
    .join(', ')

/** What the times that the file shows tell of its ranges, where the window holds still. */
export async function problemsByTimes(
  ranges: Ranges,
  judge: (look: Look) => Promise<Problem[]>,
): Promise<Problem[]> {
  const [window, times] = [await ranges.window(), await ranges.times()]
  return confirmed(ranges.exports, window, (fetch) =>
    problemsByAllColumns(times, (column) => judge({ fetch, window, times, column })),
  )
}
