// Whether a count of a CSV is reliable: a repetition gives the same, and its parts add up.

import { NotDecidable } from '../../../engine/outcome.ts'
import type { Exports } from '../ask/exports.ts'
import { iso, type Stretch } from '../learn/around-limit.ts'
import { countEvents, type EventCount } from '../learn/event-count.ts'
import type { Window } from '../learn/window.ts'

/** Continues only if a range still holds the counted events, and its parts add up. */
export async function needSameCount(
  exports: Exports,
  window: Window,
  { start, end, count }: Stretch,
): Promise<void> {
  const countOf = (from: number, to: number) =>
    countEvents(exports.fresh, window, { start: iso(from), end: iso(to) })
  const stretch = { from: Date.parse(start), to: Date.parse(end) }
  const whole = await countOf(stretch.from, stretch.to)
  if (whole.least !== count && whole.most !== count)
    throw new NotDecidable(
      'data',
      'the number of events changed while the PDF was fetched; a range that does not change is needed',
    )
  // If a file lacks every thousandth event, two parts may still add up; four hardly ever do.
  const halves = await splitByEvents(countOf, { ...stretch, count: whole })
  const quarters = []
  for (const half of halves) quarters.push(...(await splitByEvents(countOf, half)))
  const sum = quarters.reduce((all, { count }) => all + count.most, 0)
  if (sum !== whole.most)
    throw new NotDecidable(
      'freedom',
      `its parts hold ${sum} events and the whole ${whole.most}; the contract does not say what a record represents`,
    )
}

type Counted = { from: number; to: number; count: EventCount }

/** Two parts of a range with events in both; if all are at one time, the range itself. */
async function splitByEvents(
  countOf: (from: number, to: number) => Promise<EventCount>,
  stretch: Counted,
): Promise<Counted[]> {
  const { from, to } = stretch
  let [low, high] = [from, to]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    const first = await countOf(from, middle)
    if (first.most === 0) {
      low = middle + 1
      continue
    }
    const second = await countOf(middle + 1, to)
    if (second.most > 0)
      return [
        { from, to: middle, count: first },
        { from: middle + 1, to, count: second },
      ]
    high = middle
  }
  return [stretch]
}
