import { isNamed } from '../engine/clause/chosen.ts'
import { poll } from '../engine/time/polling.ts'
import type { Session } from './session.ts'
import { createSequenceView } from './updates/sequence.ts'

/** Givens that make the sequence of updates themselves. */
const travellers = ['people', 'trail', 'arrivals']
/** A single task may be on loan for long: after this, the Date of answers has to do. */
const limitMs = 10_000

/** If the run makes updates, waits until one has shown the service's clock: the Date header may be a gateway's. */
export async function clockSeen(session: Session): Promise<void> {
  if (!travellers.some(isNamed)) return
  const { clock, stop } = session
  const updates = createSequenceView(session, () => {}).accepted('transitions')
  const seen = poll(async () => clock.ahead.updated !== undefined, Boolean, { limitMs, stop })
  await Promise.race([updates, seen]).catch(() => {})
}
