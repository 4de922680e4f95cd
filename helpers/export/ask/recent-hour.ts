import { hourMs } from '../../../engine/files/dates.ts'

/** A stretch of time, its ends included. */
export type Span = { start: string; end: string }

/** A whole hour, which ended an hour ago or little more: nobody has too many events of it. */
export function recentHour(): Span {
  const end = Math.floor(Date.now() / hourMs - 1) * hourMs
  return { start: new Date(end - hourMs).toISOString(), end: new Date(end).toISOString() }
}
