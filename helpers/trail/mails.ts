// Matches mails to recipients: pure questions to mails of any form.

import { isAccepted } from '../../engine/http/answers.ts'
import { isSameId } from '../service/ids.ts'
import type { Assignee } from '../service/update-request.ts'
import type { Settings } from '../settings/table.ts'
import type { NamedStep } from '../updates/planned-steps.ts'
import type { Step } from '../updates/step.ts'
import { type Mail, wordsOf } from './mailbox.ts'

export type Recipient = NamedStep & {
  /** the position of the update in its sequence */
  at: number
  addresses?: string[]
  comment?: string
}

export type Clues = {
  /** words of the comments of the sequence, by the position of their update */
  comments: ReadonlyMap<number, string>
  /** when each update was sent, in milliseconds */
  sent: readonly number[]
  task: string
  otherTasks: readonly string[]
}

export const commentTaken = ({ answer, sent: { comment } }: Step): string | undefined =>
  isAccepted(answer) && comment ? comment : undefined

export const recipientsOf = (taken: readonly NamedStep[], settings: Settings): Recipient[] =>
  taken.flatMap((update, at) => {
    const { to } = update.step.sent
    if (!to) return []
    const one: Recipient = { ...update, at, comment: commentTaken(update.step) }
    const inboxes = inboxesOf(to, settings)
    return inboxes.length === 0 ? [one] : inboxes.map((addresses) => ({ ...one, addresses }))
  })

/** The addresses of each recipient: of a user, or of each member of a team. */
export function inboxesOf(to: Assignee, settings: Settings): string[][] {
  const known = addressesOf(to, settings)
  if (known.length === 0) return []
  return to.type === 'TEAM' ? known.map((address) => [address]) : [known]
}

export const addressesOf = (
  { id, type }: Assignee,
  { userMails, teamMails }: Pick<Settings, 'userMails' | 'teamMails'>,
): string[] =>
  Object.entries(type === 'TEAM' ? teamMails : userMails)
    .filter(([key]) => isSameId(key, id))
    .flatMap(([, addresses]) => addresses.map((address) => address.toLowerCase()))

export const cluesOf = (
  taken: readonly NamedStep[],
  tasks: Pick<Clues, 'task' | 'otherTasks'>,
): Clues => {
  const comments = taken.flatMap(({ step }, at) => {
    const comment = commentTaken(step)
    return comment === undefined ? [] : [[at, wordsOf(comment)] as const]
  })
  const sent = taken.map(({ step: { evidence } }) =>
    Date.parse(evidence.findLast(({ method }) => method === 'PUT')?.start ?? ''),
  )
  return { ...tasks, comments: new Map(comments), sent }
}

export const shows = ({ words }: Mail, text: string): boolean => words.includes(text.toLowerCase())

/** Whether a mail may show a comment of this run, changed or not. */
export const mayShowComment = ({ words }: Mail): boolean => words.includes('contract test')

/** The last update whose comment a mail shows; the mail cannot be older than that. */
export const latestIn = (mail: Mail, { comments }: Pick<Clues, 'comments'>): number | undefined =>
  [...comments].findLast(([, comment]) => shows(mail, comment))?.[0]

export const goesTo = (mail: Mail, addresses: readonly string[]): boolean =>
  mail.to.some((address) => addresses.includes(address))

/** Whether a mail is the service's: by an address, a comment of the sequence, or a task. */
export const isOfService = (mail: Mail, clues: Clues, addresses: readonly string[]): boolean =>
  goesTo(mail, addresses) ||
  latestIn(mail, clues) !== undefined ||
  [clues.task, ...clues.otherTasks].some((id) => shows(mail, id))

/** Whether a mail to a recipient shows the comment of that very update; a mail may show several. */
export const isOwn = ({ comment, addresses }: Recipient, mail: Mail): boolean =>
  comment !== undefined &&
  shows(mail, wordsOf(comment)) &&
  (addresses === undefined || goesTo(mail, addresses))

/**
 * Mails that may belong to this sequence: without those that name another task, if the service's mails name
 * their task.
 */
function mailsOfSequence(mails: readonly Mail[], clues: Clues): readonly Mail[] {
  const sure = mails.filter((mail) => latestIn(mail, clues) !== undefined)
  if (sure.length === 0 || !sure.every((mail) => shows(mail, clues.task))) return mails
  const isAnothers = (mail: Mail) => clues.otherTasks.some((id) => shows(mail, id))
  return mails.filter((mail) => shows(mail, clues.task) || !isAnothers(mail))
}

type Slot = { mail: Mail; address: string; latest?: number | undefined; after: number }

/**
 * Matches as many recipients as possible with a mail each. The text and further recipients of a mail are
 * the service's choice, so any possible mail counts: first one with the comment, then the next one after
 * the update.
 */
export function matched(
  recipients: readonly Recipient[],
  mails: readonly Mail[],
  clues: Clues,
): Map<Recipient, Mail> {
  const after = lastBefore(mails, clues)
  const slots = mailsOfSequence(mails, clues).flatMap((mail): Slot[] => {
    const known = { mail, latest: latestIn(mail, clues), after: after(mail) }
    return (mail.to.length > 0 ? mail.to : ['']).map((address) => ({ ...known, address }))
  })
  const mayBeOf = ({ at, addresses }: Recipient, { address, latest = 0 }: Slot) =>
    (addresses?.includes(address) ?? true) && latest <= at
  type Preference = (one: Recipient, slot: Slot) => boolean
  const isOfComment: Preference = ({ at, comment }, { latest }) =>
    comment !== undefined && latest === at
  const isNextAfter: Preference = ({ at }, slot) => slot.after === at

  const taken = new Map<Slot, Recipient>()
  /** Finds a mail for one recipient, moving others to another mail if necessary. */
  const seat = (one: Recipient, prefers: Preference, tried = new Set<Slot>()): boolean =>
    slots.some((slot) => {
      if (tried.has(slot) || !mayBeOf(one, slot) || !prefers(one, slot)) return false
      tried.add(slot)
      const holder = taken.get(slot)
      if (holder && !seat(holder, prefers, tried)) return false
      taken.set(slot, one)
      return true
    })
  for (const prefers of [isOfComment, isNextAfter, () => true]) {
    const seated = new Set(taken.values())
    for (const one of recipients) if (!seated.has(one)) seat(one, prefers)
  }

  const found = new Map([...taken].map(([{ mail }, one]) => [one, mail] as const))
  for (const one of recipients) {
    const own = found.get(one) ?? mails.find((mail) => isOwn(one, mail))
    if (own) found.set(one, own)
  }
  return found
}

/**
 * The update after which a mail came. Mails with a comment show the offset of the two clocks and the
 * transit time; others may come earlier by half the time between two updates.
 */
function lastBefore(mails: readonly Mail[], { comments, sent }: Clues) {
  const ways = mails.flatMap((mail) => {
    const at = latestIn(mail, { comments })
    return at === undefined ? [] : [mail.created - (sent[at] ?? Number.NaN)]
  })
  const between = sent.slice(1).map((time, n) => time - (sent[n] ?? time))
  const apart = ways.length > 0 ? Math.min(...ways) - Math.min(...between) / 2 : 0
  return ({ created }: Mail) => sent.findLastIndex((time) => time + apart <= created)
}
