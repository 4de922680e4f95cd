import { NotDecidable } from '../../engine/outcome.ts'
import type { Arrivals } from './mail-watch.ts'
import type { Mail } from './mailbox.ts'
import { goesTo, latestIn, type Recipient, shows } from './mails.ts'

/**
 * Goes on only where a mail is known to be the service's: by an address of somebody, by a comment of this
 * run, or by a task. Other mails say nothing about who was mailed.
 */
export function needRecognised({ recipients, all, clues }: Arrivals): void {
  const addresses = recipients.flatMap((one) => one.addresses ?? [])
  const isRecognised = (mail: Mail) =>
    goesTo(mail, addresses) ||
    latestIn(mail, clues) !== undefined ||
    [clues.task, ...clues.otherTasks].some((id) => shows(mail, id))
  if (all.some(isRecognised)) return
  throw new NotDecidable(
    'setting',
    `${toSet(recipients)}: of ${all.length} mails none shows a comment or a task of this run`,
  )
}

/**
 * Goes on only where mails can be tied to those who are to be mailed: by their addresses; else, for a
 * user, by mails that name an update, where those of one user always went to the same address and
 * those of another to another. Who is a member of a team nothing but TEAM_MAILS says.
 */
export function needTied(arrivals: Arrivals, names: readonly string[]): void {
  const concerned = arrivals.recipients.filter(({ name }) => names.includes(name))
  const unknown = concerned.filter(({ addresses }) => addresses === undefined)
  const isTied = tiedBySight(arrivals)
  const left = unknown.filter((one) => one.step.sent.to?.type === 'TEAM' || !isTied(one))
  if (left.length === 0) return
  throw new NotDecidable('setting', `${toSet(left)}: mails came, but their recipients are unknown`)
}

const toSet = (recipients: readonly Recipient[]): string => {
  const types = recipients
    .filter(({ addresses }) => addresses === undefined)
    .map(({ step }) => step.sent.to?.type)
  const kinds = ['USER', 'TEAM'] as const
  const settings = kinds.filter((type) => types.length === 0 || types.includes(type))
  return `set ${settings.map((type) => `${type}_MAILS`).join(' and ')}`
}

/** Whether the mails of a user's updates all went to one address, and no other user's did. */
function tiedBySight({ recipients, mailed, mails, clues }: Arrivals): (one: Recipient) => boolean {
  const users = recipients.filter(({ step }) => step.sent.to?.type === 'USER')
  const addressesOf = (one: Recipient): string[] => {
    const mail = mailed.get(one)
    const own = mails.filter((each) => latestIn(each, clues) === one.at)
    const named = mail && shows(mail, clues.task) && latestIn(mail, clues) === undefined
    return [...own, ...(named ? [mail] : [])].flatMap(({ to }) => to)
  }
  const seen = users.map((one) => ({ id: one.step.sent.to?.id, addresses: addressesOf(one) }))
  const ownOf = (id: string | undefined) => {
    const [first = [], ...more] = seen
      .filter((each) => each.id === id)
      .map((each) => each.addresses)
    const others = seen.filter((each) => each.id !== id).flatMap((each) => each.addresses)
    return first.filter(
      (address) => more.every((each) => each.includes(address)) && !others.includes(address),
    )
  }
  const tied = users.filter((one) => ownOf(one.step.sent.to?.id).length > 0)
  // Of one user alone: the same address may be mailed for everybody.
  const isApart = new Set(tied.map(({ step }) => step.sent.to?.id)).size > 1
  return (one) => isApart && tied.includes(one)
}
