import { intersection, type Multiset, sizeOf } from '../../../engine/files/rows.ts'
import { asking, shownAs, together } from '../ask/field.ts'
import { codeOf } from '../learn/cells.ts'
import { confirmed } from '../learn/confirmed.ts'
import type { Filters, Known } from '../learn/filters.ts'
import { eventsBy, eventsSeen } from '../learn/relations.ts'
import { spanOf, type Window } from '../learn/window.ts'

/**
 * That the events of a value come for others that resemble it, though no cell shows them: for a part
 * of it, and for a pattern that it fits. What signs such as % stand for is not shown, so this is no
 * more than the natural reading.
 */
export async function foundByLikeness(
  known: Known,
  { exports }: Filters,
  window: Window,
): Promise<string[]> {
  const { field, value, events: ofValue } = known
  const queryFor = (other: string) => together(spanOf(window), asking(field, other))
  // All events for a value that none has are the matter of unknown-value.
  const amongOf = (found: Multiset) =>
    sizeOf(found) >= window.rows.length ? 0 : sizeOf(intersection(found, ofValue))
  const suspected = await Promise.all(
    likeOnes(value).map(async (other) => {
      const found = await exports.csv(queryFor(other))
      // What is refused is not found, for whatever reason.
      if (found.answer.status !== 200) return []
      const isFound = amongOf(eventsSeen(window, found)) > 0
      return isFound && !isShown(other, value, window) ? [other] : []
    }),
  )
  for (const other of suspected.flat()) {
    const problems = await confirmed(exports, window, async (fetch) => {
      const found = await eventsBy(fetch, window)(asking(field, other))
      const among = amongOf(found)
      return among === 0 ? [] : [`${shownAs(field, other)}: ${among} events, which are of ${value}`]
    })
    if (problems.length > 0) return problems
  }
  return []
}

function likeOnes(value: string): string[] {
  const half = value.slice(0, value.length / 2)
  const others = [value.slice(0, -1), `${half}%`, `${half}*`, value.replace(/(?<=.)[^_](?=.)/, '_')]
  // What differs in signs alone may be the same to a service that makes codes of what it is given.
  return half.length < 2 ? [] : others.filter((other) => codeOf(other) !== codeOf(value))
}

const isShown = (other: string, value: string, { rows }: Window) =>
  rows
    .flat()
    .some((cell) =>
      cell.toLowerCase().replaceAll(value.toLowerCase(), '').includes(other.toLowerCase()),
    )
