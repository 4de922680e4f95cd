import { sharedAmong } from '../engine/clause/shared.ts'
import type { Session } from './session.ts'
import { fetchFound, lateMsOf } from './trail/sequence-events.ts'
import { createSequenceView } from './updates/sequence.ts'

/** A service may write its events every few seconds, at worst just after the last update. */
const leastEventWaitMs = 10_000

/** As long as the events of this run took. The exports that showed those are not evidence of the clause. */
export async function fetchEventWaitMs(session: Session): Promise<number> {
  const { settings, watchers } = session
  const wholeMs = settings.auditWaitS * 1000
  if (!watchers.events) return wholeMs
  const sequence = createSequenceView(session, () => {})
  const shared = sharedAmong(session.findings, session.serviceFor, () => {})
  const asked = { ...session, shared, sequence }
  const trail = await fetchFound(watchers.events, asked).catch(() => undefined)
  if (!trail?.complete) return wholeMs
  return Math.min(wholeMs, Math.max(leastEventWaitMs, lateMsOf(trail)))
}
