import { equal, type Multiset, sizeOf } from '../../../engine/files/rows.ts'
import { type CsvExport, needCsv } from '../ask/exports.ts'
import { eventsOf, eventsSeen } from '../learn/relations.ts'
import type { Window } from '../learn/window.ts'

/** What another way of writing a filter does, beside what the plain way gives. */
export function effectOf(found: CsvExport, plain: Multiset, window: Window): string | number {
  const { status } = found.answer
  if (status >= 400 && status < 500) return status
  const all = eventsOf(window, window.rows)
  needCsv(found)
  const events = eventsSeen(window, found)
  if (sizeOf(events) === 0) return 'no event'
  if (equal(events, plain)) return 'the same events'
  return equal(events, all) ? 'all events' : 'other events'
}

/** A text in the other letter case; undefined where it has none. */
export function otherCase(text: string): string | undefined {
  const upper = text.toUpperCase()
  return upper === text ? [text.toLowerCase()].find((lower) => lower !== text) : upper
}
