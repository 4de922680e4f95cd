import type { Shared } from './service/service.ts'
import type { Session } from './session.ts'
import { type Arrivals, fetchByEnd, haveAllCome, needMailOfService } from './trail/arrivals.ts'
import { fetchFound } from './trail/watchers.ts'
import { createSequenceView } from './updates/sequence.ts'

/** The mails about this run's updates; missing ones are looked for again at the end. */
export async function fetchArrivals(session: Session, shared: Shared): Promise<Arrivals> {
  const { settings, stop, watchers, ending } = session
  // Each clause takes its own evidence.
  const sequence = createSequenceView(session, () => {})
  const inTime = await fetchFound(watchers.mails, { ...session, sequence, shared })
  const arrivals = await shared('mails by the end of the run', async () => {
    if (await haveAllCome(inTime, settings, stop)) return inTime
    // These clauses wait for the end too.
    await ending.updatesEnded()
    return fetchByEnd(inTime)
  })
  await needMailOfService(arrivals, settings)
  return arrivals
}
