import { distinct } from '../../engine/distinct.ts'
import { describeAnswer, isAccepted } from '../../engine/http/answers.ts'
import { Trouble, type Why } from '../../engine/outcome.ts'
import { poll } from '../../engine/time/polling.ts'
import { clock } from '../../engine/time/timers.ts'
import type { Watch } from '../loans/watch-during.ts'
import { type Assignment, premise } from '../service/answers.ts'
import { isSameId } from '../service/ids.ts'
import type { Assignee } from '../service/update-request.ts'
import type { Settings } from '../settings/table.ts'
import { acceptedStepsOf, type NamedStep, type UpdateSequence } from '../updates/sequence.ts'
import { acceptedOf, type Step } from '../updates/step.ts'
import type { Mail, Mailbox } from './mailbox.ts'
import { inMailbox, type Trace, wordsOf } from './traces.ts'

export type Awaited = Recipient & {
  /** a mail that may be about the update */
  mail?: Mail | undefined
  /** how long after the update it came, if that was too late; NaN: the mailbox does not say */
  delay?: number
  /** late mails do not show whether they are about the update */
  isUnclear?: boolean
  /** what was seen assigns their mails to them, without addresses */
  isTied?: boolean
  waitS: number
}

export type Arrivals = {
  recipients: Awaited[]
  mails: Mail[]
  all: Mail[]
  clues: Clues
  milliseconds: number
  /** when the task was free for other updates, by our clock */
  releasedAt: number
  /** whether the run ended before twice the delay of the slowest late mail: others may still arrive */
  isEarly: boolean
  later(): Promise<Mail[]>
}

const showCommentsOf = (recipients: readonly Recipient[], mails: readonly Mail[]): boolean =>
  recipients.every((one) => one.comment === undefined || mails.some((mail) => isOwn(one, mail)))

type Deps = { mailbox: Mailbox; settings: Settings; tasks: readonly string[]; stop: AbortSignal }

export const arrivalsOf =
  ({ mailbox, settings, tasks, stop }: Deps): Watch<UpdateSequence, Arrivals> =>
  async ({ task: { id } }, makeUpdates) => {
    const mark = await mailbox.mark()
    const later = () => mailbox.since(mark)
    const taken = acceptedStepsOf(await makeUpdates())
    const all = recipientsOf(taken, settings)
    const otherTasks = tasks.filter((other) => !isSameId(other, id))
    const clues = { taken, task: id, otherTasks }
    // Without addresses, a mail to anybody may be to a recipient.
    const isKnown = all.every(({ addresses }) => addresses !== undefined)
    const look = async () => {
      const mails = await later()
      return { mails, mailed: matched(all, mails, clues) }
    }
    const { last, milliseconds } = await poll(
      look,
      // If all were mailed and no mail shows a comment, wait for further mails without holding the task.
      ({ mails, mailed }) =>
        mailed.size === all.length &&
        ((isKnown && !mails.some(mayShowComment)) || showCommentsOf(all, mails)),
      { limitMs: settings.mailWaitS * 1000, stop },
    )
    const { mails, mailed } = last
    const waitS = settings.mailWaitS
    const recipients = all.map((one) => ({ ...one, mail: mailed.get(one), waitS }))
    const known = { recipients, clues, milliseconds, releasedAt: clock.date() }
    return { ...known, mails, all: mails, isEarly: false, later }
  }

/** Whether all were mailed in time, and no mail with a comment follows for as long as a mail may take. */
export async function haveAllCome(
  { recipients, mails, releasedAt, later }: Arrivals,
  { mailWaitS }: Settings,
  stop: AbortSignal,
): Promise<boolean> {
  if (!recipients.every(({ mail }) => mail)) return false
  const isAwaited = recipients.some(({ comment }) => comment !== undefined)
  if (!isAwaited || mails.some(mayShowComment)) return true
  const limitMs = Math.max(0, releasedAt + mailWaitS * 1000 - clock.date())
  const haveCome = (found: Mail[]) => showCommentsOf(recipients, found)
  const { last } = await poll(later, haveCome, { limitMs, stop })
  return !last.some(mayShowComment)
}

/**
 * Looks again for recipients who were not mailed in time. A mail with a comment is about that update.
 * Another mail is about the sequence if it came before any mail of a later update could.
 */
export async function fetchByEnd(inTime: Arrivals): Promise<Arrivals> {
  const { clues, releasedAt } = inTime
  const all = await inTime.later()
  const delayOf = (one: Recipient, { created }: Mail) => created - sentAt(one)
  const isOwned = (mail: Mail) => inTime.recipients.some((one) => isOwn(one, mail))
  const delays = inTime.recipients.flatMap((one) => {
    const own = all.find((mail) => isOwn(one, mail))
    return own && !Number.isNaN(own.created) ? [delayOf(one, own)] : []
  })
  const until = delays.length > 0 ? releasedAt + Math.min(...delays) : Number.NEGATIVE_INFINITY
  const isOfSequence = (mail: Mail) =>
    mail.created <= until || isOwned(mail) || inTime.mails.some(({ id }) => id === mail.id)
  const mails = all.filter(isOfSequence)

  const mailed = matched(inTime.recipients, mails, clues)
  const found = inTime.recipients.map((one): Awaited => {
    const mail = one.mail ? undefined : mailed.get(one)
    return mail ? { ...one, mail, delay: delayOf(one, mail) } : one
  })
  const late = found.flatMap(({ delay }) => delay ?? [])
  const slowest = Math.max(inTime.milliseconds, ...late.map((one) => one || Infinity))
  const isEarly = late.length > 0 && clock.date() - releasedAt < 2 * slowest
  // If mails come in time, a later mail is due to other clauses.
  const mayBeLate = late.length > 0 || !all.some(isOwned)
  const mayBeTo = (one: Recipient, mail: Mail) =>
    mayGoTo(one, mail) &&
    (shows(mail, clues.task) || !clues.otherTasks.some((id) => shows(mail, id)))
  const rest = all.filter((mail) => !isOfSequence(mail) && latestIn(mail, clues) === undefined)
  const isOpen = (one: Awaited) =>
    !one.mail && (isEarly || (mayBeLate && rest.some((mail) => mayBeTo(one, mail))))
  const recipients = found.map((one) => ({ ...one, isUnclear: isOpen(one) }))
  return { ...inTime, mails, all, recipients, isEarly }
}

/** A mailbox without a single mail of the service is probably the wrong mailbox. */
export async function needMailOfService(
  { recipients, clues, later }: Arrivals,
  { userMails, teamMails, mailboxUrl, embedded }: Settings,
  assignments: number,
): Promise<void> {
  if (recipients.length === 0) return
  const mails = await later()
  const known = [userMails, teamMails].flatMap((each) => Object.values(each).flat())
  const addresses = known.map((address) => address.toLowerCase())
  const mayBeAnybodys = recipients.some((one) => one.addresses === undefined)
  if (mails.some((mail) => mayBeAnybodys || isOfService(mail, clues, addresses))) return
  const where = embedded ? 'the embedded mailbox' : mailboxUrl
  const advice = embedded ? '' : '; check that MAILBOX_URL is its mailbox'
  const came = `${mails.length || 'no'} emails came to ${where} during the run`
  const none = `no email arrived for any of ${assignments} assignments`
  throw new Trouble(`${none}: ${came}, none from the service${advice}`)
}

export type Mailing = Awaited & Trace

export function commentedIn(arrivals: Arrivals): Mailing[] {
  needRecognised(arrivals)
  const { recipients, mails, isEarly } = arrivals
  const isShownTo = (one: Recipient) => mails.some((mail) => isOwn(one, mail))
  const known = recipients.filter(({ mail, comment }) => mail && comment !== undefined)
  const isOpen = isEarly && known.some(isShownTo)
  return known.map((one) => {
    const isUnclear = isOpen && !isShownTo(one)
    const what = `no email to ${named(one)} shows the comment of the update ${one.name}`
    const seen = { expected: one.comment ?? '', got: 'no email that shows it', what }
    const [isFound, judged] = [isUnclear || isShownTo(one), acceptedOf(one.step)]
    return { ...one, ...seen, isUnclear, isFound, judged, ...inMailbox }
  })
}

const named = ({ addresses, step: { sent } }: Recipient): string =>
  addresses ? addresses.join(' or ') : `${sent.to?.type} ${sent.to?.id}`

export function whyUnclear(concerned: readonly Mailing[]): Why | undefined {
  const one = concerned.find(({ isUnclear }) => isUnclear)
  const why = `set MAIL_WAIT_S to more than ${one?.waitS}: later emails do not show whether`
  return one && ['setting', `${why} ${named(one)} was emailed about the update`]
}

export function describeMailed(concerned: readonly Mailing[]): string {
  const all = `${concerned.length} to be emailed, and each was emailed`
  const delays = concerned.flatMap(({ delay }) => delay ?? [])
  if (delays.length === 0) return all
  const longest = Math.max(...delays.map((delay) => delay || 0))
  const when = longest > 0 ? `, up to ${Math.round(longest / 100) / 10} s after the update` : ''
  return `${all}; ${delays.length} of them only after MAIL_WAIT_S${when}`
}

export function awaitedIn(arrivals: Arrivals, steps: readonly string[]): Mailing[] {
  needRecognised(arrivals)
  const tied = tiedBySight(arrivals)
  const concerned = arrivals.recipients.filter(({ name }) => steps.includes(name))
  return concerned.map((one) => {
    const [judged, whom] = [acceptedOf(one.step), named(one)]
    const what = `${describeAnswer(judged)} to the update ${one.name}, but no email to ${whom} came within ${one.waitS} s, nor by the end of the run`
    const isFound = one.mail !== undefined || one.isUnclear === true
    const seen = { what, expected: `an email to ${whom}`, got: 'none', judged, ...inMailbox }
    return { ...one, isTied: tied.includes(one), isFound, ...seen }
  })
}

/** Continues only if a mail is known to be the service's: others say nothing about recipients. */
function needRecognised({ recipients, all, clues }: Arrivals): void {
  const addresses = recipients.flatMap((one) => one.addresses ?? [])
  const isKnown = all.some((mail) => isOfService(mail, clues, addresses))
  const none = `no email, of ${all.length}, contains a comment or a task of this run`
  premise(isKnown, 'setting', `${settingsFor(recipients)}: ${none}`)
}

/**
 * Which emails may still arrive, and which cannot be matched to recipients. Matching needs addresses, or for users
 * emails that name an update, if each user’s emails always went to their own address. Only TEAM_MAILS says who is in a
 * team.
 */
export function whyUntied(concerned: readonly Mailing[]): Why | undefined {
  const left = concerned.filter(({ addresses, isTied }) => addresses === undefined && !isTied)
  const whom = distinct(left.flatMap(({ step }) => step.sent.to?.id ?? []))
  const mails = left.flatMap(({ mail }) => mail ?? [])
  const isOne = whom.length > 2 && distinct(mails.flatMap(({ to }) => to)).length === 1
  const why = isOne
    ? `${settingsFor(left)}: all ${mails.length} emails went to one address, for every assignee`
    : `${settingsFor(left)}: emails came, but their recipients are unknown`
  return whyUnclear(concerned) ?? (left.length > 0 ? ['setting', why] : undefined)
}

const settingsFor = (recipients: readonly Recipient[]): string => {
  const types = recipients.flatMap(({ addresses, step }) => (addresses ? [] : step.sent.to?.type))
  const kinds = ['USER', 'TEAM'] as const
  const settings = kinds.filter((type) => types.length === 0 || types.includes(type))
  return `set ${settings.map((type) => `${type}_MAILS`).join(' and ')}`
}

function tiedBySight({ recipients, mails, clues }: Arrivals): Awaited[] {
  const users = recipients.filter(({ step }) => step.sent.to?.type === 'USER')
  const idOf = ({ step }: Recipient) => step.sent.to?.id
  const addressesOf = ({ mail, at }: Awaited): string[] => {
    const own = mails.filter((each) => latestIn(each, clues) === at)
    const isNamed = mail && shows(mail, clues.task) && latestIn(mail, clues) === undefined
    return [...own, ...(isNamed ? [mail] : [])].flatMap(({ to }) => to)
  }
  const isTied = (user: Awaited) => {
    const isSame = (one: Awaited) => idOf(one) === idOf(user)
    const [first = [], ...more] = users.filter(isSame).map(addressesOf)
    const others = users.filter((one) => !isSame(one)).flatMap(addressesOf)
    const isTheirs = (address: string) => more.every((each) => each.includes(address))
    return first.some((address) => isTheirs(address) && !others.includes(address))
  }
  const tied = users.filter(isTied)
  // With a single user, that address may get everybody's mails.
  return new Set(tied.map(idOf)).size > 1 ? tied : []
}

export type Recipient = NamedStep & {
  at: number
  addresses?: string[]
  comment?: string
}

export type Clues = {
  taken: readonly NamedStep[]
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

export function inboxesOf(to: Assignee, settings: Settings): string[][] {
  const known = addressesOf(to, settings)
  if (known.length === 0) return []
  return to.type === 'TEAM' ? known.map((address) => [address]) : [known]
}

export const assigneeIn = (of: Assignment): Assignee => ({
  id: of.assigned_to_id,
  type: of.assigned_to_type,
})

export const addressesOf = ({ id, type }: Assignee, { userMails, teamMails }: Settings): string[] =>
  Object.entries(type === 'TEAM' ? teamMails : userMails)
    .filter(([key]) => isSameId(key, id))
    .flatMap(([, addresses]) => addresses.map((address) => address.toLowerCase()))

export const sentAt = (one: NamedStep | undefined): number =>
  Date.parse(one?.step.evidence.findLast(({ method }) => method === 'PUT')?.start ?? '')

export const shows = ({ words }: Mail, text: string): boolean => words.includes(text.toLowerCase())

export const mayShowComment = ({ words }: Mail): boolean => words.includes('contract test')

/** The last update whose comment a mail shows; the mail cannot be older than that. */
export function latestIn(mail: Mail, { taken }: Pick<Clues, 'taken'>): number | undefined {
  const comments = taken.map(({ step }) => commentTaken(step))
  const at = comments.findLastIndex((comment) => comment && shows(mail, wordsOf(comment)))
  return at === -1 ? undefined : at
}

export const goesTo = (mail: Mail, addresses: readonly string[]): boolean =>
  mail.to.some((address) => addresses.includes(address))

export const isOfService = (mail: Mail, clues: Clues, addresses: readonly string[]): boolean =>
  goesTo(mail, addresses) ||
  latestIn(mail, clues) !== undefined ||
  [clues.task, ...clues.otherTasks].some((id) => shows(mail, id))

/** Whether a mail to a recipient shows the comment of that very update; a mail may show several. */
export const isOwn = (one: Recipient, mail: Mail): boolean =>
  one.comment !== undefined && shows(mail, wordsOf(one.comment)) && mayGoTo(one, mail)

const mayGoTo = ({ addresses }: Recipient, mail: Mail) => !addresses || goesTo(mail, addresses)

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
 * Any possible mail counts, because text and further recipients are the service's choice: first one with
 * the comment, then the next one after the update.
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
  /** Finds a mail for one recipient, and gives others another mail if necessary. */
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
  const isWithLater = (one: Recipient) => {
    const own = mails.filter((mail) => isOwn(one, mail))
    return own.length > 0 && own.every((mail) => latestIn(mail, clues) !== one.at)
  }
  const all = mails.flatMap(({ to }) => to)
  const isBareOnce = distinct(all).length === all.length && !mails.some(mayShowComment)
  // One mail tells a reader of several updates, if a comment comes only with a later one, or none comes twice.
  const areDigests = isBareOnce || recipients.some(isWithLater)
  const isIn = (one: Recipient, mail: Mail) => mayGoTo(one, mail) && after(mail) >= one.at
  for (const one of recipients) {
    const isTold = (mail: Mail) => isOwn(one, mail) || (areDigests && isIn(one, mail))
    const own = found.get(one) ?? mails.find(isTold)
    if (own) found.set(one, own)
  }
  return found
}

/**
 * The update after which a mail came. Mails with a comment show the offset of the two clocks and the transit
 * time; others may come earlier by half the time between two updates.
 */
function lastBefore(mails: readonly Mail[], { taken }: Clues) {
  const sent = taken.map(sentAt)
  const ways = mails.flatMap((mail) => {
    const at = latestIn(mail, { taken })
    return at === undefined ? [] : [mail.created - (sent[at] ?? Number.NaN)]
  })
  const between = sent.slice(1).map((time, n) => time - (sent[n] ?? time))
  const apart = ways.length > 0 ? Math.min(...ways) - Math.min(...between) / 2 : 0
  return ({ created }: Mail) => sent.findLastIndex((time) => time + apart <= created)
}
