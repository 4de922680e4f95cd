import { distinct } from '../../engine/distinct.ts'
import type { Observation } from '../../engine/observation.ts'
import { toSet } from '../../engine/outcome.ts'
import { type PollLimits, poll } from '../../engine/time/polling.ts'
import { describeRecipient, emailFinding } from '../findings/email.ts'
import { textFinding } from '../findings/text.ts'
import {
  type AcceptedUpdate,
  type AssignmentState,
  type Ledger,
  stepsOf,
} from '../history/accepted-updates.ts'
import { type Assignment, premise } from '../service/answers.ts'
import { ownComment, ownerOfComment } from '../service/comments.ts'
import { isSameId } from '../service/ids.ts'
import type { Settings } from '../settings/table.ts'
import { markOf } from '../updates/comment-kinds.ts'
import type { Mail } from './mailbox.ts'
import type { Arrivals } from './mails.ts'
import {
  addressesOf,
  assigneeIn,
  goesTo,
  inboxesOf,
  mayShowComment,
  sentAt,
  shows,
} from './mails.ts'
import { type Trace, wordsOf } from './traces.ts'

type Due = AcceptedUpdate & {
  assignment: Assignment
  former: AssignmentState
  comment: string
  mark: string
  isPlain: boolean
  inboxes: string[][]
}

type Mailed = Due & { mails: Mail[] }

const isPlainComment = (comment: string) =>
  ownComment.test(comment) && ownerOfComment(comment) === 'assign.comment.plain'

/** A mark that is a number may be part of a number with an exponent. */
const showsMark = ({ words }: Mail, mark: string): boolean =>
  new RegExp(`${wordsOf(mark).replaceAll(/\W/g, '\\$&')}(?:e3)?(?![\\da-z])`).test(words)

function mailingOf(ledger: Ledger, settings: Settings) {
  const people = [...settings.userIds, ...settings.teamIds]
  // An unchanged assignee may get no mail.
  const toNew = stepsOf(ledger).flatMap(({ update, former }) => {
    const { assignment } = update
    if (!assignment || former === undefined) return []
    const inboxes = inboxesOf(assigneeIn(assignment), settings)
    const isNew = !isSameId(former?.assigned_to_id, assignment.assigned_to_id)
    return isNew ? [{ ...update, assignment, former, inboxes }] : []
  })
  const due = toNew.flatMap((update): Due[] => {
    const { comment = '', assignment, inboxes } = update
    const isPlain = isPlainComment(comment)
    const mark = isPlain ? comment : markOf(comment)
    const isKnown = people.some((one) => isSameId(one, assignment.assigned_to_id))
    const canBeTied = isPlain || inboxes.length > 0
    return mark !== undefined && isKnown && canBeTied ? [{ ...update, comment, mark, isPlain }] : []
  })
  const marks = ledger.updates.flatMap(({ comment = '' }) => {
    const text = wordsOf(markOf(comment) ?? comment)
    return text === '' ? [] : [text]
  })
  /** Mails without a comment count if there are more of them than assignments without a comment. */
  const mayBeMailed = (inbox: readonly string[], mails: readonly Mail[]) => {
    const isBare = (mail: Mail) => goesTo(mail, inbox) && !marks.some((text) => shows(mail, text))
    const bare = toNew.filter(
      ({ comment, inboxes }) => !comment && inboxes.flat().some((one) => inbox.includes(one)),
    )
    return mails.filter(isBare).length > bare.length
  }
  const isMailed = ({ mark, isPlain, inboxes }: Due, mails: readonly Mail[]): boolean => {
    const own = mails.filter((mail) => showsMark(mail, mark))
    if (inboxes.length === 0) return own.length > 0
    return inboxes.every(
      (inbox) => own.some((mail) => goesTo(mail, inbox)) || (!isPlain && mayBeMailed(inbox, mails)),
    )
  }
  return { due, isMailed }
}

async function fetchMailing(
  ledger: Ledger,
  { recipients, clues, later }: Arrivals,
  { settings, stop, waiting }: Pick<PollLimits, 'stop' | 'waiting'> & { settings: Settings },
) {
  const since = sentAt(clues.taken[0]) || Number.POSITIVE_INFINITY
  const { due: all, isMailed } = mailingOf(ledger, settings)
  const due = all.filter(({ at }) => at >= since)
  const slowest = Math.max(0, ...recipients.map(({ delay }) => delay || 0))
  const isAwaited = recipients.some(({ comment }) => comment !== undefined)
  const limitMs = Math.max(settings.mailWaitS * 1000, 2 * slowest)
  const { last } = await poll(
    later,
    // The mails of the sequence have arrived: if none shows a comment, no other will.
    (mails) =>
      due.every((update) => isMailed(update, mails)) || (isAwaited && !mails.some(mayShowComment)),
    { limitMs, stop, firstMs: 100, waiting, askLate: true },
  )
  const ownOf = ({ mark }: Due) => last.filter((mail) => showsMark(mail, mark))
  return {
    all: due.map((update): Mailed => ({ ...update, mails: ownOf(update) })),
    isMailed: (update: Due) => isMailed(update, last),
  }
}

const showsComment = ({ comment, mails }: Mailed): boolean =>
  mails.some((mail) => shows(mail, wordsOf(comment)))

export async function askMailed(...of: Parameters<typeof fetchMailing>): Promise<Trace[]> {
  const { all, isMailed } = await fetchMailing(...of)
  const unshown = 'no email shows a comment of this run'
  premise(all.length === 0 || all.some(showsComment), 'clause', unshown, 'notify.comment')
  const control = all.filter(isMailed).slice(0, 3)
  return all.map((update) => {
    const { task, assignment, comment, exchange } = update
    const missing = { recognised: 'by comment', task, comment } as const
    return {
      isFound: isMailed(update),
      finding: emailFinding(assigneeIn(assignment), missing),
      judged: exchange,
      control,
    }
  })
}

export async function askTexts(...of: Parameters<typeof fetchMailing>): Promise<Trace[]> {
  const { all } = await fetchMailing(...of)
  return all.flatMap((update) => {
    const { isPlain, mark, comment, assignment, exchange, mails } = update
    if (isPlain || comment.startsWith('=') || mails.length === 0) return []
    const to = describeRecipient(assigneeIn(assignment))
    return {
      isFound: showsComment(update),
      finding: textFinding({ in: 'email', to }, comment, { got: mark }),
      judged: exchange,
    }
  })
}

type MailedTo = AcceptedUpdate & { others: string[]; isTwice: boolean }

/** The assignments whose recipients have known addresses. A mail belongs to the last comment that it shows. */
export function mailedTo(ledger: Ledger, mails: readonly Mail[], settings: Settings): MailedTo[] {
  const due = mailingOf(ledger, settings).due.filter(({ isPlain }) => isPlain)
  const latest = mails.map((mail) => due.findLast(({ mark }) => showsMark(mail, mark)))
  const updates = due.filter(({ inboxes }) => inboxes.length > 0)
  const unknown = 'the owners of the addresses that got emails are unknown'
  premise(updates.length > 0, ...toSet(['USER_MAILS', 'TEAM_MAILS'], `: ${unknown}`))
  return updates.map((update) => {
    const { former, assignment, inboxes } = update
    const before = former ? addressesOf(assigneeIn(former), settings) : []
    const by = addressesOf({ id: assignment.assigned_by_id, type: 'USER' }, settings)
    const own = mails.filter((_, at) => latest[at] === update)
    const whoIs = (address: string) => {
      if (before.includes(address)) return 'the assignee before'
      return by.includes(address) ? 'who assigns' : 'somebody else'
    }
    const isOther = (address: string) => !inboxes.flat().includes(address)
    const others = own.flatMap(({ to }) => to.filter(isOther).map(whoIs))
    const isTwice = inboxes.some((inbox) => own.filter((mail) => goesTo(mail, inbox)).length > 1)
    return { ...update, others, isTwice }
  })
}

export const lookAtOthers = (updates: readonly MailedTo[]): Observation => ({
  others: distinct([...updates.flatMap(({ others }) => others), 'nobody'])
    .sort()
    .filter((who, _, all) => who !== 'nobody' || all.length === 1),
  twice: updates.some(({ isTwice }) => isTwice) ? 'the assignee' : 'nobody',
})
