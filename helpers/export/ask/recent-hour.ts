import { dayMs, hourMs } from '../../../engine/files/dates.ts'
import { clock } from '../../../engine/time/timers.ts'

export type Span = { start: string; end: string }

export type Clock = { times(): number[] }

/**
 * The whole hour that ended an hour ago or little more by the service's clock: few events on any service.
 * If clocks disagree, the earliest counts, because a future range may be refused.
 */
export const recentHour = ({ times }: Clock): Span => hourBefore(Math.min(...times()))

/** The whole hour that ended an hour before a time, or little more. */
export function hourBefore(time: number): Span {
  const end = Math.floor(time / hourMs - 1) * hourMs
  return { start: new Date(end - hourMs).toISOString(), end: new Date(end).toISOString() }
}

/** A day before the earliest possible now: no later event is before that. */
export const dayBefore = ({ times }: Clock): string =>
  new Date(Math.min(clock.date(), ...times()) - dayMs).toISOString()
