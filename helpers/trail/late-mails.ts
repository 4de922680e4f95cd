// What came to the mailbox after MAIL_WAIT_S: by then other clauses have had other updates mailed.

import type { Arrivals } from './mail-watch.ts'
import type { Mail } from './mailbox.ts'
import { type Clues, goesTo, isOwn, latestIn, matched, type Recipient, shows } from './mails.ts'

/**
 * Looks once more for whoever was not mailed in time. A mail is of an update whose comment it shows; others
 * are of the journey where they came before any of a later update could, by how long the former took.
 */
export async function fetchByEnd(inTime: Arrivals): Promise<Arrivals> {
  const { recipients, clues, releasedAt } = inTime
  const all = await inTime.later()
  const isOwned = (mail: Mail) => recipients.some((one) => isOwn(one, mail))
  const delays = recipients.flatMap((one) => {
    const own = all.find((mail) => isOwn(one, mail))
    return own && !Number.isNaN(own.created) ? [delayOf(one, own, clues)] : []
  })
  const until = delays.length > 0 ? releasedAt + Math.min(...delays) : Number.NEGATIVE_INFINITY
  const isOfJourney = (mail: Mail) =>
    mail.created <= until || isOwned(mail) || inTime.mails.some(({ id }) => id === mail.id)
  const mails = all.filter(isOfJourney)

  const mailed = new Map(inTime.mailed)
  const late = new Map<Recipient, number>()
  for (const [one, mail] of matched(recipients, mails, clues)) {
    if (mailed.has(one)) continue
    mailed.set(one, mail)
    late.set(one, delayOf(one, mail, clues))
  }
  // Where mails are seen to come in time, a later one is of what other clauses did.
  const mayBeLate = late.size > 0 || !all.some(isOwned)
  const rest = all.filter((mail) => !isOfJourney(mail) && latestIn(mail, clues) === undefined)
  const unclear = recipients.filter(
    (one) => mayBeLate && !mailed.has(one) && rest.some((mail) => mayBeTo(one, mail, clues)),
  )
  return { ...inTime, mails, all, mailed, late, unclear }
}

const delayOf = ({ at }: Recipient, { created }: Mail, { sent }: Clues): number =>
  created - (sent[at] ?? Number.NaN)

function mayBeTo({ addresses }: Recipient, mail: Mail, { task, otherTasks }: Clues): boolean {
  if (addresses && !goesTo(mail, addresses)) return false
  return shows(mail, task) || !otherTasks.some((id) => shows(mail, id))
}
