import { dayMs, hourMs } from '../../../engine/files/dates.ts'

/** A stretch of time, its ends included. */
export type Span = { start: string; end: string }

/** What the service's clock may show now, the earliest first. */
export type Clock = { times(): number[] }

/**
 * A whole hour, which ended an hour ago or little more by the service's clock: nobody has too many
 * events of it. Where it is not sure which time it has, the earliest: what is to come may be refused.
 */
export const recentHour = ({ times }: Clock): Span => hourBefore(Math.min(...times()))

/** The whole hour that ended an hour before a time, or little more. */
export function hourBefore(time: number): Span {
  const end = Math.floor(time / hourMs - 1) * hourMs
  return { start: new Date(end - hourMs).toISOString(), end: new Date(end).toISOString() }
}

/** A day before whatever time it may be: no event of what follows is from before that. */
export const dayBefore = ({ times }: Clock): string =>
  new Date(Math.min(Date.now(), ...times()) - dayMs).toISOString()
