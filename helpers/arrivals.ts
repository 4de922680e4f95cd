import type { Shared } from './service/service.ts'
import type { Session } from './session.ts'
import { type Arrivals, fetchByEnd, haveAllCome, needMailOfService } from './trail/arrivals.ts'
import { fetchFound } from './trail/watchers.ts'
import { createSequenceView } from './updates/sequence.ts'

/** What came to the mailbox of the updates of this run; what was missing is looked for again at its end. */
export async function fetchArrivals(session: Session, shared: Shared): Promise<Arrivals> {
  const { settings, stop, watchers, ending } = session
  // The clauses take as evidence what they are about.
  const sequence = createSequenceView(session, () => {})
  const inTime = await fetchFound(watchers.mails, { ...session, sequence, shared })
  const arrivals = await shared('mails by the end of the run', async () => {
    if (await haveAllCome(inTime, settings, stop)) return inTime
    // These wait for the end as well.
    await ending.updatesEnded()
    return fetchByEnd(inTime)
  })
  await needMailOfService(arrivals, settings)
  return arrivals
}
