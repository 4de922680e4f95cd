// Who else was mailed of an update, and who more than once: told by the comment that a mail shows.

import { NotDecidable } from '../../engine/outcome.ts'
import type { Ledger } from '../history/accepted-updates.ts'
import type { Assignment } from '../service/answers.ts'
import type { Settings } from '../settings/table.ts'
import { stepsToMail } from './all-mailed.ts'
import type { Arrivals } from './mail-watch.ts'
import { type Mail, wordsOf } from './mailbox.ts'
import { addressesOf, goesTo, inboxesOf, latestIn, shows } from './mails.ts'

/** By which of the update's people an address is known. */
export type OtherMailed = 'nobody' | 'the assignee before' | 'who assigns' | 'somebody else'

type Told = { others: OtherMailed[]; twice: 'nobody' | 'the assignee' }

/** The mails of one update, and who its people are. */
type Mailed = {
  mails: Mail[]
  /** the addresses of each who is to be mailed */
  meant: string[][]
  before: Assignment | null | undefined
  by: string
}

/** Goes on only where mails show comments and the addresses of everybody are known. */
export function describeOthers(
  arrivals: Arrivals,
  settings: Settings,
  ofRun: readonly Mailed[] = [],
): Told {
  const updates = [...ofJourney(arrivals), ...ofRun]
  if (updates.length === 0)
    throw new NotDecidable(
      'setting',
      'set USER_MAILS and TEAM_MAILS: the owners of the addresses that got mails are unknown',
    )
  const others = new Set<OtherMailed>()
  for (const update of updates)
    for (const address of update.mails.flatMap(({ to }) => to))
      if (!update.meant.flat().includes(address)) others.add(whoIs(address, update, settings))
  const isTwice = updates.some(({ mails, meant }) =>
    meant.some((addresses) => mails.filter((mail) => goesTo(mail, addresses)).length > 1),
  )
  if (others.size === 0) others.add('nobody')
  return { others: [...others].sort(), twice: isTwice ? 'the assignee' : 'nobody' }
}

function ofJourney({ recipients, mails, clues }: Arrivals): Mailed[] {
  const known = recipients.filter(
    ({ comment, addresses }) => comment !== undefined && addresses !== undefined,
  )
  return [...new Set(known.map(({ at }) => at))].flatMap((at) => {
    const concerned = known.filter((one) => one.at === at)
    const [first] = concerned
    if (!first) return []
    return {
      mails: mails.filter((mail) => latestIn(mail, clues) === at),
      meant: concerned.map(({ addresses = [] }) => addresses),
      before: first.step.before.assignment,
      by: first.step.by,
    }
  })
}

/** The mails of every assignment of the run; one that shows several comments is of the last of them. */
export function mailedInRun(ledger: Ledger, mails: readonly Mail[], settings: Settings): Mailed[] {
  const steps = stepsToMail(ledger, settings)
  const told = new Map(
    mails.map((mail) => [
      mail,
      steps.findLast(({ update: { comment = '' } }) => shows(mail, wordsOf(comment))),
    ]),
  )
  return steps.flatMap((step) => {
    const { assignment } = step.update
    if (!assignment) return []
    const { assigned_to_id: id, assigned_to_type: type, assigned_by_id: by } = assignment
    const meant = inboxesOf({ id, type }, settings)
    if (meant.length === 0) return []
    return {
      mails: mails.filter((mail) => told.get(mail) === step),
      meant,
      before: step.former,
      by,
    }
  })
}

function whoIs(address: string, { before, by }: Mailed, settings: Settings): OtherMailed {
  const former = before && { id: before.assigned_to_id, type: before.assigned_to_type }
  if (former && addressesOf(former, settings).includes(address)) return 'the assignee before'
  return addressesOf({ id: by, type: 'USER' }, settings).includes(address)
    ? 'who assigns'
    : 'somebody else'
}
