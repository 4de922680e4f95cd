// Stretches of time that clauses ask for, whatever the service holds.

import { day, hour, instantAt, isoOf, second } from '../../../engine/files/dates.ts'
import type { Span } from '../ask/recent-hour.ts'

export { recentHour, type Span } from '../ask/recent-hour.ts'

/** So long ago that no service has events of it: what a file looks like without any. */
export const noEvents: Span = {
  start: '1971-01-01T00:00:00.000Z',
  end: '1971-01-01T00:00:01.000Z',
}

/** So early, and so late, that no event of the audit trail lies beyond. */
export const farPast = '1971-01-01T00:00:00.000Z'
export const farFuture = isoOf(
  ((instantAt(new Date().toISOString()) + 3n * 366n * day) / day) * day,
)

/** So late that nothing has happened yet. */
export const notYet: Span = { start: farFuture, end: isoOf(instantAt(farFuture) + second) }

/** Two times of one day, an hour apart, on the day of a time. */
export function hourApart(iso: string): [string, string] {
  const noon = (instantAt(iso) / day) * day + 12n * hour
  return [isoOf(noon - hour / 2n), isoOf(noon + hour / 2n)]
}
