import { isAccepted } from '../../engine/http/answers.ts'
import { isSameId } from '../service/ids.ts'
import type { Assignee } from '../service/update-request.ts'
import type { Settings } from '../settings/table.ts'
import type { NamedStep } from '../updates/legs.ts'
import type { Step } from '../updates/step.ts'
import { type Mail, wordsOf } from './mailbox.ts'

/** Somebody who is to be mailed of an update. */
export type Recipient = NamedStep & {
  /** place of the update among those of its journey */
  at: number
  /** where the mail goes, any of them; undefined: not known */
  addresses?: string[]
  /** what the update was accepted with */
  comment?: string
}

/** What is known of mails, whatever they look like. */
export type Clues = {
  /** words of the comments of the journey, by the place of their update */
  comments: ReadonlyMap<number, string>
  /** when each update was sent, in milliseconds */
  sent: readonly number[]
  task: string
  /** ids of other tasks that are changed in the same run */
  otherTasks: readonly string[]
}

/** The comment that an update was accepted with. */
export const commentTaken = ({ answer, sent: { comment } }: Step): string | undefined =>
  isAccepted(answer) && comment ? comment : undefined

/** Everybody who is to be mailed of the assignments of a journey. */
export const recipientsOf = (taken: readonly NamedStep[], settings: Settings): Recipient[] =>
  taken.flatMap((update, at) => {
    const { to } = update.step.sent
    if (!to) return []
    const one: Recipient = { ...update, at, comment: commentTaken(update.step) }
    const each = inboxesOf(to, settings)
    return each.length === 0 ? [one] : each.map((addresses) => ({ ...one, addresses }))
  })

/** The addresses of each who is to be mailed: a user may have several, those of a team are its members'. */
export function inboxesOf(to: Assignee, settings: Settings): string[][] {
  const known = addressesOf(to, settings)
  if (known.length === 0) return []
  return to.type === 'TEAM' ? known.map((address) => [address]) : [known]
}

/** The addresses known for somebody, in lower case. */
export const addressesOf = (
  { id, type }: Assignee,
  { userMails, teamMails }: Pick<Settings, 'userMails' | 'teamMails'>,
): string[] =>
  Object.entries(type === 'TEAM' ? teamMails : userMails)
    .filter(([key]) => isSameId(key, id))
    .flatMap(([, addresses]) => addresses.map((address) => address.toLowerCase()))

/** What mails of a journey are told from others by. */
export const cluesOf = (
  taken: readonly NamedStep[],
  tasks: { task: string; otherTasks: readonly string[] },
): Clues => {
  const comments = taken.flatMap(({ step }, at) => {
    const comment = commentTaken(step)
    return comment === undefined ? [] : [[at, wordsOf(comment)] as const]
  })
  return { ...tasks, comments: new Map(comments), sent: taken.map(({ step }) => sentAt(step)) }
}

const sentAt = ({ evidence }: Step): number => {
  const put = evidence.findLast(({ method }) => method === 'PUT')
  return put ? Date.parse(put.start) : Number.NaN
}

/** Whether a mail shows a text, in any letter case. */
export const shows = ({ words }: Mail, text: string): boolean => words.includes(text.toLowerCase())

/** Whether a mail may show a comment of this run, changed or not. */
export const mayShowComment = ({ words }: Mail): boolean => words.includes('contract test')

/** The last update of the journey whose comment a mail shows; it cannot have been sent before that. */
export const latestIn = (mail: Mail, { comments }: Pick<Clues, 'comments'>): number | undefined =>
  [...comments].findLast(([, comment]) => shows(mail, comment))?.[0]

/** Whether a mail goes to one of these addresses. */
export const goesTo = (mail: Mail, addresses: readonly string[]): boolean =>
  mail.to.some((address) => addresses.includes(address))

/**
 * Mails that can be of this journey. One that names another task is not, where the service is seen
 * to name the task that a mail is about.
 */
export function mailsOfJourney(mails: readonly Mail[], clues: Clues): Mail[] {
  const sure = mails.filter((mail) => latestIn(mail, clues) !== undefined)
  const named = sure.length > 0 && sure.every((mail) => shows(mail, clues.task))
  const isAnothers = (mail: Mail) =>
    !shows(mail, clues.task) && clues.otherTasks.some((id) => shows(mail, id))
  return named ? mails.filter((mail) => !isAnothers(mail)) : [...mails]
}

/**
 * Who was mailed, with the mail: as many of the recipients as there can be. What a mail says and
 * whom else it goes to is the service's choice, so whatever may be of an update counts for it;
 * first what shows its comment, then what came next after it.
 */
export function matched(
  recipients: readonly Recipient[],
  mails: readonly Mail[],
  clues: Clues,
): Map<Recipient, Mail> {
  const slots = mailsOfJourney(mails, clues).flatMap((mail) =>
    (mail.to.length > 0 ? mail.to : ['']).map((address) => ({ mail, address })),
  )
  const after = lastBefore(mails, clues)
  const possible = ({ at, addresses }: Recipient, { mail, address }: Slot) =>
    (addresses?.includes(address) ?? true) && (latestIn(mail, clues) ?? 0) <= at
  const nextAfter: Edge = (one, slot) => possible(one, slot) && after(slot.mail) === one.at
  const ofComment: Edge = (one, slot) =>
    possible(one, slot) && one.comment !== undefined && latestIn(slot.mail, clues) === one.at

  const taken = new Map<Slot, Recipient>()
  /** finds a mail for one, and another mail for whoever has it, as far as need be */
  const seat = (one: Recipient, mayBe: Edge, tried = new Set<Slot>()): boolean => {
    for (const slot of slots) {
      if (tried.has(slot) || !mayBe(one, slot)) continue
      tried.add(slot)
      const holder = taken.get(slot)
      if (holder && !seat(holder, mayBe, tried)) continue
      taken.set(slot, one)
      return true
    }
    return false
  }
  for (const mayBe of [ofComment, nextAfter, possible]) {
    const seated = new Set(taken.values())
    for (const one of recipients) if (!seated.has(one)) seat(one, mayBe)
  }

  const found = new Map([...taken].map(([{ mail }, recipient]) => [recipient, mail] as const))
  for (const recipient of recipients) {
    const own = found.get(recipient) ?? mails.find((mail) => isOwn(recipient, mail))
    if (own) found.set(recipient, own)
  }
  return found
}

type Slot = { mail: Mail; address: string }
type Edge = (one: Recipient, slot: Slot) => boolean

/**
 * Tells after which update a mail came. How far two clocks, and sending and arriving, lie apart is
 * told by mails that show a comment; others may come sooner by half the time between two updates.
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

/** Whether a mail to a recipient shows the comment of the very update; one mail may tell of several. */
export const isOwn = ({ comment, addresses }: Recipient, mail: Mail): boolean =>
  comment !== undefined &&
  shows(mail, wordsOf(comment)) &&
  (addresses === undefined || goesTo(mail, addresses))
