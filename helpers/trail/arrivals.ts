// What came to the mailbox of the updates of a journey, in time and by the end of the run.

import { describeAnswer } from '../../engine/http/answers.ts'
import { NotDecidable, Trouble } from '../../engine/outcome.ts'
import { type Problem, problem } from '../../engine/problem.ts'
import { poll } from '../../engine/time/polling.ts'
import type { Watch } from '../loans/watch-during.ts'
import { isSameId } from '../service/ids.ts'
import type { Settings } from '../settings/table.ts'
import { acceptedStepsOf, type Journey, type NamedStep } from '../updates/legs.ts'
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

/** What came to the mailbox of the assignments of a journey. */
export type Arrivals = {
  taken: NamedStep[]
  recipients: Recipient[]
  /** who was mailed, each with a mail that may be of the update */
  mailed: Map<Recipient, Mail>
  mails: Mail[]
  /** with those that came later, of other updates as well */
  all: Mail[]
  clues: Clues
  /** from the last update until everything had come, or the time was over */
  milliseconds: number
  /** when the task was free for other updates, by our clock */
  releasedAt: number
  /** who was mailed after that time, and how long after the update; NaN: the mailbox does not say */
  late: Map<Recipient, number>
  /** those of whom late mails do not show whether they were mailed of the update */
  unclear: Recipient[]
  /** whether the run ended before twice as long as the slowest of the late mails took: others may still come */
  isEarly: boolean
  /** all that has come since the journey began */
  later(): Promise<Mail[]>
}

/** Whether everybody who was assigned with a comment has a mail that shows it. */
const showCommentsOf = (recipients: readonly Recipient[], mails: readonly Mail[]): boolean =>
  recipients.every((one) => one.comment === undefined || mails.some((mail) => isOwn(one, mail)))

type Deps = { mailbox: Mailbox; settings: Settings; tasks: readonly string[]; stop: AbortSignal }

/** Waits for the mails of a journey, while nobody else updates its task. */
export const arrivalsOf =
  ({ mailbox, settings, tasks, stop }: Deps): Watch<Journey, Arrivals> =>
  async ({ task: { id } }, travel) => {
    const mark = await mailbox.mark()
    const later = () => mailbox.since(mark)
    const taken = acceptedStepsOf(await travel())
    const recipients = recipientsOf(taken, settings)
    const otherTasks = tasks.filter((other) => !isSameId(other, id))
    const clues = cluesOf(taken, { task: id, otherTasks })
    // Without addresses, a mail to anybody may be to somebody.
    const isKnown = recipients.every(({ addresses }) => addresses !== undefined)
    const look = async () => {
      const mails = await later()
      return { mails, mailed: matched(recipients, mails, clues) }
    }
    const { last, milliseconds } = await poll(
      look,
      // Where everybody was mailed and no mail shows a comment, others are waited for without the task.
      ({ mails, mailed }) =>
        mailed.size === recipients.length &&
        ((isKnown && !mails.some(mayShowComment)) || showCommentsOf(recipients, mails)),
      { limitMs: settings.mailWaitS * 1000, stop },
    )
    const known = { taken, recipients, clues, milliseconds, releasedAt: Date.now() }
    return {
      ...last,
      ...known,
      all: last.mails,
      late: new Map(),
      unclear: [],
      isEarly: false,
      later,
    }
  }

/** Whether everybody was mailed in time, and no mail with a comment follows for as long as a mail may take. */
export async function haveAllCome(
  { recipients, mailed, mails, releasedAt, later }: Arrivals,
  { mailWaitS }: Settings,
  stop: AbortSignal,
): Promise<boolean> {
  if (mailed.size < recipients.length) return false
  const isAwaited = recipients.some(({ comment }) => comment !== undefined)
  if (!isAwaited || mails.some(mayShowComment)) return true
  const limitMs = Math.max(0, releasedAt + mailWaitS * 1000 - Date.now())
  const haveCome = (found: Mail[]) => showCommentsOf(recipients, found)
  const { last } = await poll(later, haveCome, { limitMs, stop })
  return !last.some(mayShowComment)
}

/**
 * Looks once more for whoever was not mailed in time. A mail is of an update whose comment it shows; others
 * are of the journey where they came before any of a later update could, by how long the former took.
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
  const isOfJourney = (mail: Mail) =>
    mail.created <= until || isOwned(mail) || inTime.mails.some(({ id }) => id === mail.id)
  const mails = all.filter(isOfJourney)

  const mailed = new Map(inTime.mailed)
  const late = new Map<Recipient, number>()
  for (const [one, mail] of matched(recipients, mails, clues)) {
    if (mailed.has(one)) continue
    mailed.set(one, mail)
    late.set(one, delayOf(one, mail))
  }
  const slowest = Math.max(inTime.milliseconds, ...[...late.values()].map((one) => one || Infinity))
  const isEarly = late.size > 0 && Date.now() - releasedAt < 2 * slowest
  // Where mails are seen to come in time, a later one is of what other clauses did.
  const mayBeLate = late.size > 0 || !all.some(isOwned)
  const mayBeTo = ({ addresses }: Recipient, mail: Mail) =>
    (!addresses || goesTo(mail, addresses)) &&
    (shows(mail, clues.task) || !clues.otherTasks.some((id) => shows(mail, id)))
  const rest = all.filter((mail) => !isOfJourney(mail) && latestIn(mail, clues) === undefined)
  const unclear = recipients.filter(
    (one) =>
      !mailed.has(one) && (isEarly || (mayBeLate && rest.some((mail) => mayBeTo(one, mail)))),
  )
  return { ...inTime, mails, all, mailed, late, unclear, isEarly }
}

/** A mailbox to which not one mail of the service comes is more likely not its mailbox. */
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
  throw new Trouble(
    `${mails.length || 'no'} mails came to ${where} during the run, none from the service${advice}`,
  )
}

/** The problem of somebody who should have been mailed and was not. */
export const problemsOfUnmailed = (
  { mailed, unclear }: Arrivals,
  one: Recipient,
  { mailWaitS }: Settings,
): Problem[] => {
  if (mailed.has(one) || unclear.includes(one)) return []
  const answer = acceptedOf(one.step)
  const sentence = `${describeAnswer(answer)} (${one.name}), and no mail to ${named(one)} came within ${mailWaitS} s, nor by the end of the run`
  const again = { why: 'it shows in a mailbox, which a script cannot read' }
  const expected = `a mail to ${named(one)}`
  return [problem(sentence, { expected, got: 'none', judged: answer, again })]
}

/** A recipient as sentences name one. */
export const named = ({ addresses, step: { sent } }: Recipient): string =>
  addresses ? addresses.join(' or ') : `${sent.to?.type} ${sent.to?.id}`

/** Goes on only where it is clear of all of these whether they were mailed. */
export function needClear(
  { unclear }: Pick<Arrivals, 'unclear'>,
  concerned: readonly Recipient[],
  { mailWaitS }: Settings,
): void {
  const one = unclear.find((each) => concerned.includes(each))
  if (!one) return
  throw new NotDecidable(
    'setting',
    `set MAIL_WAIT_S to more than ${mailWaitS}: mails came after that, and they do not show whether ${named(one)} was mailed of the update`,
  )
}

/** How late those were mailed who were mailed after MAIL_WAIT_S, as the end of a sentence. */
export function describeLate({ late }: Arrivals, concerned: readonly Recipient[]): string {
  const delays = [...late].flatMap(([one, delay]) => (concerned.includes(one) ? [delay] : []))
  if (delays.length === 0) return ''
  const longest = Math.max(...delays.map((delay) => delay || 0))
  const when = longest > 0 ? `, up to ${Math.round(longest / 100) / 10} s after the update` : ''
  return `; ${delays.length} of them only after MAIL_WAIT_S${when}`
}

/** Goes on only where a mail is known to be the service's: others say nothing about who was mailed. */
export function needRecognised({ recipients, all, clues }: Arrivals): void {
  const addresses = recipients.flatMap((one) => one.addresses ?? [])
  if (all.some((mail) => isOfService(mail, clues, addresses))) return
  const set = settingsFor(recipients)
  throw new NotDecidable(
    'setting',
    `${set}: of ${all.length} mails none shows a comment or a task of this run`,
  )
}

/**
 * Goes on only where mails can be tied to those who are to be mailed: by their addresses; else, for a
 * user, by mails that name an update, where those of one user always went to the same address and
 * those of another to another. Who is a member of a team nothing but TEAM_MAILS says.
 */
export function needTied(arrivals: Arrivals, concerned: readonly Recipient[]): void {
  const tied = tiedBySight(arrivals)
  const left = concerned.filter((one) => one.addresses === undefined && !tied.includes(one))
  if (left.length === 0) return
  const set = settingsFor(left)
  throw new NotDecidable('setting', `${set}: mails came, but their recipients are unknown`)
}

const settingsFor = (recipients: readonly Recipient[]): string => {
  const unknown = recipients.filter(({ addresses }) => addresses === undefined)
  const types = unknown.map(({ step }) => step.sent.to?.type)
  const kinds = ['USER', 'TEAM'] as const
  const settings = kinds.filter((type) => types.length === 0 || types.includes(type))
  return `set ${settings.map((type) => `${type}_MAILS`).join(' and ')}`
}

/** Users whose mails all went to one address, to which no other user's did. */
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
  // Of one user alone: the same address may be mailed for everybody.
  return new Set(tied.map(idOf)).size > 1 ? tied : []
}
