// The mails about the updates of a sequence, in time and by the end of the run.

import { describeAnswer } from '../../engine/http/answers.ts'
import { NotDecidable, Trouble } from '../../engine/outcome.ts'
import { type Problem, problem } from '../../engine/problem.ts'
import { poll } from '../../engine/time/polling.ts'
import { clock } from '../../engine/time/timers.ts'
import type { Watch } from '../loans/watch-during.ts'
import { premise } from '../service/answers.ts'
import { isSameId } from '../service/ids.ts'
import type { Settings } from '../settings/table.ts'
import { acceptedStepsOf, type NamedStep, type UpdateSequence } from '../updates/planned-steps.ts'
import { acceptedOf } from '../updates/step.ts'
import type { Mail, Mailbox } from './mailbox.ts'
import {
  type Clues,
  cluesOf,
  goesTo,
  isOfService,
  isOwn,
  latestIn,
  matched,
  mayShowComment,
  type Recipient,
  recipientsOf,
  shows,
} from './mails.ts'

export type Arrivals = {
  taken: NamedStep[]
  recipients: Recipient[]
  /** the recipients who got a mail, each with one that may be about the update */
  mailed: Map<Recipient, Mail>
  mails: Mail[]
  all: Mail[]
  clues: Clues
  /** from the last update until everything had arrived, or the time was over */
  milliseconds: number
  /** when the task was free for other updates, by our clock */
  releasedAt: number
  /** recipients who got a mail after that, and how long after the update; NaN: the mailbox does not say */
  late: Map<Recipient, number>
  /** those whose late mails do not show whether they are about the update */
  unclear: Recipient[]
  /** whether the run ended before twice as long as the slowest of the late mails took: others may still come */
  isEarly: boolean
  /** all mails since the sequence began */
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
    const recipients = recipientsOf(taken, settings)
    const otherTasks = tasks.filter((other) => !isSameId(other, id))
    const clues = cluesOf(taken, { task: id, otherTasks })
    // Without addresses, a mail to anybody may be to a recipient.
    const isKnown = recipients.every(({ addresses }) => addresses !== undefined)
    const look = async () => {
      const mails = await later()
      return { mails, mailed: matched(recipients, mails, clues) }
    }
    const { last, milliseconds } = await poll(
      look,
      // If all were mailed and no mail shows a comment, wait for further ones without the task.
      ({ mails, mailed }) =>
        mailed.size === recipients.length &&
        ((isKnown && !mails.some(mayShowComment)) || showCommentsOf(recipients, mails)),
      { limitMs: settings.mailWaitS * 1000, stop },
    )
    const known = { taken, recipients, clues, milliseconds, releasedAt: clock.date() }
    const byEnd = { all: last.mails, late: new Map(), unclear: [], isEarly: false }
    return { ...last, ...known, ...byEnd, later }
  }

/** Whether all were mailed in time, and no mail with a comment follows for as long as a mail may take. */
export async function haveAllCome(
  { recipients, mailed, mails, releasedAt, later }: Arrivals,
  { mailWaitS }: Settings,
  stop: AbortSignal,
): Promise<boolean> {
  if (mailed.size < recipients.length) return false
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
  const { recipients, clues, releasedAt } = inTime
  const all = await inTime.later()
  const delayOf = ({ at }: Recipient, { created }: Mail) => created - (clues.sent[at] ?? Number.NaN)
  const isOwned = (mail: Mail) => recipients.some((one) => isOwn(one, mail))
  const delays = recipients.flatMap((one) => {
    const own = all.find((mail) => isOwn(one, mail))
    return own && !Number.isNaN(own.created) ? [delayOf(one, own)] : []
  })
  const until = delays.length > 0 ? releasedAt + Math.min(...delays) : Number.NEGATIVE_INFINITY
  const isOfSequence = (mail: Mail) =>
    mail.created <= until || isOwned(mail) || inTime.mails.some(({ id }) => id === mail.id)
  const mails = all.filter(isOfSequence)

  const mailed = new Map(inTime.mailed)
  const late = new Map<Recipient, number>()
  for (const [one, mail] of matched(recipients, mails, clues)) {
    if (mailed.has(one)) continue
    mailed.set(one, mail)
    late.set(one, delayOf(one, mail))
  }
  const slowest = Math.max(inTime.milliseconds, ...[...late.values()].map((one) => one || Infinity))
  const isEarly = late.size > 0 && clock.date() - releasedAt < 2 * slowest
  // Where mails are seen to come in time, a later one is of what other clauses did.
  const mayBeLate = late.size > 0 || !all.some(isOwned)
  const mayBeTo = ({ addresses }: Recipient, mail: Mail) =>
    (!addresses || goesTo(mail, addresses)) &&
    (shows(mail, clues.task) || !clues.otherTasks.some((id) => shows(mail, id)))
  const rest = all.filter((mail) => !isOfSequence(mail) && latestIn(mail, clues) === undefined)
  const unclear = recipients.filter(
    (one) =>
      !mailed.has(one) && (isEarly || (mayBeLate && rest.some((mail) => mayBeTo(one, mail)))),
  )
  return { ...inTime, mails, all, mailed, late, unclear, isEarly }
}

/** A mailbox without a single mail of the service is probably the wrong mailbox. */
export async function needMailOfService(
  { recipients, clues, later }: Arrivals,
  { userMails, teamMails, mailboxUrl, embedded }: Settings,
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
  throw new Trouble(`${came}, none from the service${advice}`)
}

export const problemsOfUnmailed = (
  { mailed, unclear }: Arrivals,
  one: Recipient,
  { mailWaitS }: Settings,
): Problem[] => {
  if (mailed.has(one) || unclear.includes(one)) return []
  const answer = acceptedOf(one.step)
  const sentence = `${describeAnswer(answer)} (${one.name}), and no email to ${named(one)} came within ${mailWaitS} s, nor by the end of the run`
  const again = { why: 'it shows in a mailbox, which a script cannot read' }
  const expected = `an email to ${named(one)}`
  return [problem(sentence, { expected, got: 'none', judged: answer, again })]
}

export const named = ({ addresses, step: { sent } }: Recipient): string =>
  addresses ? addresses.join(' or ') : `${sent.to?.type} ${sent.to?.id}`

/** Continues only if it is clear for all of these whether they were mailed. */
export function needClear(
  { unclear }: Pick<Arrivals, 'unclear'>,
  concerned: readonly Recipient[],
  { mailWaitS }: Settings,
): void {
  const one = unclear.find((each) => concerned.includes(each))
  if (!one) return
  const why = `set MAIL_WAIT_S to more than ${mailWaitS}: later emails do not show whether ${named(one)} was emailed about the update`
  throw new NotDecidable('setting', why)
}

/** How late the late mails came, as the end of a sentence. */
export function describeLate({ late }: Arrivals, concerned: readonly Recipient[]): string {
  const delays = [...late].flatMap(([one, delay]) => (concerned.includes(one) ? [delay] : []))
  if (delays.length === 0) return ''
  const longest = Math.max(...delays.map((delay) => delay || 0))
  const when = longest > 0 ? `, up to ${Math.round(longest / 100) / 10} s after the update` : ''
  return `; ${delays.length} of them only after MAIL_WAIT_S${when}`
}

/** Continues only if a mail is known to be the service's: others say nothing about recipients. */
export function needRecognised({ recipients, all, clues }: Arrivals): void {
  const addresses = recipients.flatMap((one) => one.addresses ?? [])
  const isKnown = all.some((mail) => isOfService(mail, clues, addresses))
  const none = `none of ${all.length} emails contains a comment or a task of this run`
  premise(isKnown, 'setting', `${settingsFor(recipients)}: ${none}`)
}

/**
 * Continues only if mails can be matched to recipients: by addresses, or for users by mails that name an
 * update, if each user's mails always went to their own address. Only TEAM_MAILS says who is a member of a
 * team.
 */
export function needTied(arrivals: Arrivals, concerned: readonly Recipient[]): void {
  const tied = tiedBySight(arrivals)
  const left = concerned.filter((one) => one.addresses === undefined && !tied.includes(one))
  const why = `${settingsFor(left)}: emails came, but their recipients are unknown`
  premise(left.length === 0, 'setting', why)
}

const settingsFor = (recipients: readonly Recipient[]): string => {
  const unknown = recipients.filter(({ addresses }) => addresses === undefined)
  const types = unknown.map(({ step }) => step.sent.to?.type)
  const kinds = ['USER', 'TEAM'] as const
  const settings = kinds.filter((type) => types.length === 0 || types.includes(type))
  return `set ${settings.map((type) => `${type}_MAILS`).join(' and ')}`
}

/** Users whose mails all went to one address that no other user shares. */
function tiedBySight({ recipients, mailed, mails, clues }: Arrivals): Recipient[] {
  const users = recipients.filter(({ step }) => step.sent.to?.type === 'USER')
  const idOf = ({ step }: Recipient) => step.sent.to?.id
  const addressesOf = (one: Recipient): string[] => {
    const mail = mailed.get(one)
    const own = mails.filter((each) => latestIn(each, clues) === one.at)
    const isNamed = mail && shows(mail, clues.task) && latestIn(mail, clues) === undefined
    return [...own, ...(isNamed ? [mail] : [])].flatMap(({ to }) => to)
  }
  const isTied = (user: Recipient) => {
    const isSame = (one: Recipient) => idOf(one) === idOf(user)
    const [first = [], ...more] = users.filter(isSame).map(addressesOf)
    const others = users.filter((one) => !isSame(one)).flatMap(addressesOf)
    const isTheirs = (address: string) => more.every((each) => each.includes(address))
    return first.some((address) => isTheirs(address) && !others.includes(address))
  }
  const tied = users.filter(isTied)
  // With a single user, that address may get everybody's mails.
  return new Set(tied.map(idOf)).size > 1 ? tied : []
}
