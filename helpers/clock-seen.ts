import { isNamed } from '../engine/clause/chosen.ts'
import { poll } from '../engine/time/polling.ts'
import type { Session } from './session.ts'
import { createSequenceView } from './updates/sequence.ts'

/** Givens that make the sequence of updates by themselves. */
const travellers = ['people', 'trail', 'arrivals']
/** A single task may be with others for long: until then the answers' own date has to do. */
const limitMs = 10_000

/**
 * Waits until an update has shown which time the service has, where the run makes one in any case: what
 * stands in front of the service may have another clock than the service.
 */
export async function clockSeen(session: Session): Promise<void> {
  if (!travellers.some(isNamed)) return
  const { clock, stop } = session
  const updates = createSequenceView(session, () => {}).accepted('transitions')
  const seen = poll(async () => clock.ahead.updated !== undefined, Boolean, { limitMs, stop })
  await Promise.race([updates, seen]).catch(() => {})
}
