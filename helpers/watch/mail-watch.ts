import { describeAnswer } from '../../engine/http/answers.ts'
import { Trouble } from '../../engine/outcome.ts'
import { poll } from '../../engine/time/polling.ts'
import { isSameId } from '../service/ids.ts'
import type { Settings } from '../settings/table.ts'
import { acceptedStepsOf, type Journey, type NamedStep } from '../updates/legs.ts'
import { acceptedOf } from '../updates/step.ts'
import type { Watch } from '../updates/watch.ts'
import type { Mail, Mailbox } from './mailbox.ts'
import {
  type Clues,
  cluesOf,
  goesTo,
  isOwn,
  latestIn,
  matched,
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
  clues: Clues
  /** from the last update until everything had come, or the time was over */
  milliseconds: number
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
    const commented = recipients.filter(({ comment }) => comment !== undefined)
    const { last, milliseconds } = await poll(
      async () => {
        const mails = await mailbox.since(mark)
        return { mails, mailed: matched(recipients, mails, clues) }
      },
      ({ mails, mailed }) =>
        mailed.size === recipients.length &&
        commented.every((one) => mails.some((mail) => isOwn(one, mail))),
      { limitMs: settings.mailWaitS * 1000, stop },
    )
    if (recipients.length > 0) needMailOfService(last.mails, recipients, clues, settings)
    return { ...last, taken, recipients, clues, milliseconds }
  }

/** A mailbox to which not one mail of the service comes is more likely not its mailbox. */
function needMailOfService(
  mails: Mail[],
  recipients: Recipient[],
  clues: Clues,
  { userMails, teamMails, mailboxUrl, mailWaitS }: Settings,
): void {
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
    `${what} to ${mailboxUrl} within ${mailWaitS} s, none of them of the service: is this its mailbox?`,
  )
}

/** Those who should have been mailed of these steps and were not, one sentence each. */
export const unmailed = (
  { recipients, mailed }: Arrivals,
  names: readonly string[],
  { mailWaitS }: Settings,
): string[] =>
  recipients
    .filter((one) => names.includes(one.name) && !mailed.has(one))
    .map(
      (one) =>
        `${describeAnswer(acceptedOf(one.step))} (${one.name}), and no mail to ${named(one)} came within ${mailWaitS} s`,
    )

/** A recipient as sentences name one. */
export const named = ({ addresses, step: { sent } }: Recipient): string =>
  addresses ? addresses.join(' or ') : `${sent.to?.type} ${sent.to?.id}`

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
  return `of ${counts.length} to be mailed ${of((n) => n === 1)} got one mail, ${of((n) => n > 1)} more, ${of((n) => n === 0)} none`

  function isAbout({ at, comment }: Recipient, mail: Mail) {
    const latest = latestIn(mail, clues)
    return comment === undefined ? latest === undefined && shows(mail, clues.task) : latest === at
  }

  function isAlike(one: Recipient, other: Recipient) {
    const bare = one.comment === undefined && other.comment === undefined
    return bare && (other.addresses ?? []).some((address) => one.addresses?.includes(address))
  }
}
