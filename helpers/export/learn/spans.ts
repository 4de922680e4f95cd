// Stretches of time that clauses ask for, whatever the service holds.

import { day, hour, instantAt, isoOf, second } from '../../../engine/files/dates.ts'
import type { Clock, Span } from '../ask/recent-hour.ts'

export { hourBefore, recentHour, type Span } from '../ask/recent-hour.ts'

/** So long ago that no service has events of it: what a file looks like without any. */
export const noEvents: Span = {
  start: '1971-01-01T00:00:00.000Z',
  end: '1971-01-01T00:00:01.000Z',
}

/** So early, and so late, that no event of the audit trail lies beyond. */
export const farPast = '1971-01-01T00:00:00.000Z'
export const farFuture = ({ times }: Clock): string => {
  const now = instantAt(new Date(Math.max(Date.now(), ...times())).toISOString())
  return isoOf(((now + 3n * 366n * day) / day) * day)
}

/** So late that nothing has happened yet. */
export const notYet = (clock: Clock): Span => {
  const start = farFuture(clock)
  return { start, end: isoOf(instantAt(start) + second) }
}

/** Two times of one day, an hour apart, on the day of a time. */
export function hourApart(iso: string): [string, string] {
  const noon = (instantAt(iso) / day) * day + 12n * hour
  return [isoOf(noon - hour / 2n), isoOf(noon + hour / 2n)]
}
