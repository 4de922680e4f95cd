// Parts of a range with few events.

import { instantAt, isoOf } from '../../../engine/files/dates.ts'
import type { Exports } from '../ask/exports.ts'
import type { Span } from './spans.ts'
import { eventRows, type Window } from './window.ts'

const minEvents = 10
const maxEvents = 60

/** Halves a range until few of its events are left. */
export async function narrowSpan(exports: Exports, window: Window, span: Span): Promise<Span> {
  // Parts of the window are no longer than what other clauses read and share.
  const isWithin =
    instantAt(span.start) >= instantAt(window.start) && instantAt(span.end) <= instantAt(window.end)
  const countIn = async (part: Span) => {
    if (!isWithin) return countUpTo(maxEvents + 1, exports, window, part)
    const { csv } = await exports.csv(part)
    return eventRows(window, csv?.records ?? []).length
  }
  let { start, end } = span
  let events = await countIn({ start, end })
  for (let step = 0; events > maxEvents && step < 24; step += 1) {
    const middle = isoOf((instantAt(start) + instantAt(end)) / 2n)
    const found = await countIn({ start, end: middle })
    if (found >= minEvents) end = middle
    else start = middle
    events = found >= minEvents ? found : await countIn({ start, end })
  }
  return { start, end }
}

export async function countUpTo(events: number, exports: Exports, window: Window, span: Span) {
  const read = events + window.lines.before + window.lines.behind
  const { csv } = await exports.csv(span, { read })
  return eventRows(window, csv?.records ?? []).length
}
