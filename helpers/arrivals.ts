import type { Shared } from './service/service.ts'
import type { Session } from './session.ts'
import { fetchByEnd } from './trail/late-mails.ts'
import {
  type Arrivals,
  areWithoutComments,
  doCommentsCome,
  isWhole,
  needMailOfService,
} from './trail/mail-watch.ts'
import { foundBy } from './trail/watchers.ts'
import { createJourneyView } from './updates/journey.ts'

/** What came to the mailbox of the updates of this run; what was missing is looked for again at its end. */
export async function fetchArrivals(session: Session, shared: Shared): Promise<Arrivals> {
  // The clauses take as evidence what they are about.
  await createJourneyView(session, () => {}).accepted('transitions')
  const inTime = await foundBy(session.watchers.mails, shared)
  await Promise.all(session.returning)
  const { settings, stop } = session
  const doCome = () => shared('comments in mails', () => doCommentsCome(inTime, settings, stop))
  const haveAllCome = isWhole(inTime) && !(areWithoutComments(inTime) && (await doCome()))
  const arrivals = haveAllCome
    ? inTime
    : await shared('mails by the end of the run', async () => {
        // These wait for the end as well.
        await session.vigil.lull()
        return fetchByEnd(inTime)
      })
  await needMailOfService(arrivals, settings)
  return arrivals
}
