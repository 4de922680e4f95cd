import { describeAnswer } from '../../engine/http/answers.ts'
import { NotDecidable, Trouble } from '../../engine/outcome.ts'
import { type Problem, problem } from '../../engine/problem.ts'
import { poll } from '../../engine/time/polling.ts'
import type { Watch } from '../aftermath/watch-during.ts'
import { isSameId } from '../service/ids.ts'
import type { Settings } from '../settings/table.ts'
import { acceptedStepsOf, type Journey, type NamedStep } from '../updates/legs.ts'
import { acceptedOf } from '../updates/step.ts'
import type { Mail, Mailbox } from './mailbox.ts'
import {
  type Clues,
  cluesOf,
  goesTo,
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
  /** who was mailed after that time, and how long after the update; NaN: the mailbox does not tell */
  late: Map<Recipient, number>
  /** those to whom later mails came of which nothing shows whether they are of the update */
  unclear: Recipient[]
  /** all that has come since the journey began */
  later(): Promise<Mail[]>
}

/** Whether everybody was mailed in time. */
export const isWhole = ({ recipients, mailed }: Arrivals): boolean =>
  mailed.size === recipients.length

/** Whether everybody who was assigned with a comment has a mail that shows it. */
const showCommentsOf = (recipients: readonly Recipient[], mails: readonly Mail[]): boolean =>
  recipients.every((one) => one.comment === undefined || mails.some((mail) => isOwn(one, mail)))

/** Whether mails that could show a comment of the journey show none of this run. */
export const areWithoutComments = ({ recipients, mails }: Arrivals): boolean =>
  recipients.some(({ comment }) => comment !== undefined) && !mails.some(mayShowComment)

/** Waits for comments for as long as a mail may take, and tells whether any came. */
export async function doCommentsCome(
  { recipients, releasedAt, later }: Arrivals,
  { mailWaitS }: Settings,
  stop: AbortSignal,
): Promise<boolean> {
  const limitMs = Math.max(0, releasedAt + mailWaitS * 1000 - Date.now())
  const { last } = await poll(later, (mails) => showCommentsOf(recipients, mails), {
    limitMs,
    stop,
  })
  return last.some(mayShowComment)
}

type Deps = { mailbox: Mailbox; settings: Settings; tasks: readonly string[]; stop: AbortSignal }

/** Waits for the mails of a journey, while nobody else updates its task. */
export const arrivalsOf =
  ({ mailbox, settings, tasks, stop }: Deps): Watch<Journey, Arrivals> =>
  async ({ task: { id } }, travel) => {
    const mark = await mailbox.mark()
    const taken = acceptedStepsOf(await travel())
    const recipients = recipientsOf(taken, settings)
    const clues = cluesOf(taken, {
      task: id,
      otherTasks: tasks.filter((other) => !isSameId(other, id)),
    })
    // Without addresses, a mail to anybody may be to somebody.
    const isKnown = recipients.every(({ addresses }) => addresses !== undefined)
    const { last, milliseconds } = await poll(
      async () => {
        const mails = await mailbox.since(mark)
        return { mails, mailed: matched(recipients, mails, clues) }
      },
      // Where everybody was mailed and no mail shows a comment, others are waited for without the task.
      ({ mails, mailed }) =>
        mailed.size === recipients.length &&
        ((isKnown && !mails.some(mayShowComment)) || showCommentsOf(recipients, mails)),
      { limitMs: settings.mailWaitS * 1000, stop },
    )
    const later = () => mailbox.since(mark)
    const known = { taken, recipients, clues, milliseconds, releasedAt: Date.now() }
    return { ...last, ...known, all: last.mails, late: new Map(), unclear: [], later }
  }

/** A mailbox to which not one mail of the service comes is more likely not its mailbox. */
export async function needMailOfService(
  { recipients, clues, later }: Arrivals,
  { userMails, teamMails, mailboxUrl, embedded }: Settings,
): Promise<void> {
  if (recipients.length === 0) return
  const mails = await later()
  const addresses = [userMails, teamMails].flatMap((each) => Object.values(each).flat())
  const theirs = addresses.map((address) => address.toLowerCase())
  const mayBeAnybodys = recipients.some((one) => one.addresses === undefined)
  const isOfService = (mail: Mail) =>
    mayBeAnybodys ||
    goesTo(mail, theirs) ||
    latestIn(mail, clues) !== undefined ||
    [clues.task, ...clues.otherTasks].some((id) => shows(mail, id))
  if (mails.some(isOfService)) return
  const what = mails.length > 0 ? `${mails.length} mails came` : 'no mail came'
  throw new Trouble(
    embedded
      ? `${what} to the embedded mailbox during the run, none from the service`
      : `${what} to ${mailboxUrl} during the run, none from the service; check that MAILBOX_URL is its mailbox`,
  )
}

/** Those who should have been mailed of these steps and were not, one problem each. */
export const unmailed = (
  { recipients, mailed, unclear }: Arrivals,
  names: readonly string[],
  { mailWaitS }: Settings,
): Problem[] =>
  recipients
    .filter((one) => names.includes(one.name) && !mailed.has(one) && !unclear.includes(one))
    .map((one) => {
      const answer = acceptedOf(one.step)
      return problem(
        `${describeAnswer(answer)} (${one.name}), and no mail to ${named(one)} came within ${mailWaitS} s, nor by the end of the run`,
        {
          expected: `a mail to ${named(one)}`,
          got: 'none',
          judged: answer,
          again: { why: 'a mailbox has to be read' },
        },
      )
    })

/** A recipient as sentences name one. */
export const named = ({ addresses, step: { sent } }: Recipient): string =>
  addresses ? addresses.join(' or ') : `${sent.to?.type} ${sent.to?.id}`

/** Goes on only where it is clear of all of these steps whether somebody was mailed. */
export function needClear(
  { unclear }: Arrivals,
  names: readonly string[],
  { mailWaitS }: Settings,
): void {
  const [one] = unclear.filter(({ name }) => names.includes(name))
  if (!one) return
  throw new NotDecidable(
    'setting',
    `set MAIL_WAIT_S to more than ${mailWaitS}: mails to ${named(one)} came after that, and nothing in them shows of which update`,
  )
}

/** How late those were mailed who were mailed after MAIL_WAIT_S, as the end of a sentence. */
export function describeLate({ late }: Arrivals, names: readonly string[]): string {
  const delays = [...late].flatMap(([{ name }, delay]) => (names.includes(name) ? [delay] : []))
  if (delays.length === 0) return ''
  const known = delays.filter((delay) => !Number.isNaN(delay))
  const when =
    known.length > 0
      ? `, up to ${Math.round(Math.max(...known) / 100) / 10} s after the update`
      : ''
  return `; ${delays.length} of them only after MAIL_WAIT_S${when}`
}

/** How many were mailed once, more often, and not at all, of these steps. */
export function toldCounts(arrivals: Arrivals, names: readonly string[]): string {
  const { recipients, mailed, mails, clues } = arrivals
  const concerned = recipients.filter(({ name }) => names.includes(name))
  if (concerned.some(({ addresses }) => addresses === undefined))
    return `${mails.length} mails came in all; without USER_MAILS and TEAM_MAILS it is not known to whom they should`
  const counts = concerned.map((one) => {
    if (!mailed.has(one)) return 0
    const certain = mails.filter((mail) => goesTo(mail, one.addresses ?? []) && isAbout(one, mail))
    // Without a comment, mails to the same address may be of either update.
    const alike = recipients.filter((other) => other !== one && isAlike(one, other)).length
    return Math.max(1, certain.length - alike)
  })
  const of = (holds: (count: number) => boolean) => counts.filter(holds).length
  return `of ${counts.length} to be mailed ${of((n) => n === 1)} got one mail, ${of((n) => n > 1)} several, ${of((n) => n === 0)} none`

  function isAbout({ at, comment }: Recipient, mail: Mail) {
    const latest = latestIn(mail, clues)
    return comment === undefined ? latest === undefined && shows(mail, clues.task) : latest === at
  }

  function isAlike(one: Recipient, other: Recipient) {
    const bare = one.comment === undefined && other.comment === undefined
    return bare && (other.addresses ?? []).some((address) => one.addresses?.includes(address))
  }
}
