// Who else was mailed of an update, and who more than once: told by the comment that a mail shows.

import { NotDecidable } from '../../engine/outcome.ts'
import type { Settings } from '../settings/table.ts'
import type { Arrivals } from './mail-watch.ts'
import { addressesOf, goesTo, latestIn, type Recipient } from './mails.ts'

/** By which of the update's people an address is known. */
export type OtherMailed = 'nobody' | 'the assignee before' | 'who assigns' | 'somebody else'

type Told = { others: OtherMailed[]; twice: 'nobody' | 'the assignee' }

/** Goes on only where mails show comments and the addresses of everybody are known. */
export function describeOthers(arrivals: Arrivals, settings: Settings): Told {
  const { recipients, mails, clues } = arrivals
  const known = recipients.filter(
    ({ comment, addresses }) => comment !== undefined && addresses !== undefined,
  )
  if (known.length === 0)
    throw new NotDecidable(
      'setting',
      'set USER_MAILS and TEAM_MAILS: the owners of the addresses that got mails are unknown',
    )
  const others = new Set<OtherMailed>()
  let isTwice = false
  for (const at of new Set(known.map((one) => one.at))) {
    const own = mails.filter((mail) => latestIn(mail, clues) === at)
    const concerned = known.filter((one) => one.at === at)
    const [first] = concerned
    if (!first) continue
    const meant = concerned.flatMap(({ addresses = [] }) => addresses)
    for (const address of own.flatMap(({ to }) => to))
      if (!meant.includes(address)) others.add(whoIs(address, first, settings))
    isTwice ||= concerned.some(
      ({ addresses = [] }) => own.filter((mail) => goesTo(mail, addresses)).length > 1,
    )
  }
  if (others.size === 0) others.add('nobody')
  return { others: [...others].sort(), twice: isTwice ? 'the assignee' : 'nobody' }
}

function whoIs(address: string, { step }: Recipient, settings: Settings): OtherMailed {
  const { assignment } = step.before
  const before = assignment && {
    id: assignment.assigned_to_id,
    type: assignment.assigned_to_type,
  }
  if (before && addressesOf(before, settings).includes(address)) return 'the assignee before'
  const actor = { id: step.by, type: 'USER' as const }
  return addressesOf(actor, settings).includes(address) ? 'who assigns' : 'somebody else'
}
