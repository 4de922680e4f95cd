// Which assignments of the run were mailed, by the comments in mails.

import { type Problem, problem } from '../../engine/problem.ts'
import { shown } from '../../engine/shown.ts'
import { poll } from '../../engine/time/polling.ts'
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
import type { Arrivals } from './arrivals.ts'
import { type Mail, wordsOf } from './mailbox.ts'
import { addressesOf, goesTo, inboxesOf, mayShowComment, shows } from './mails.ts'

/** An assignment to a new assignee, with a comment that identifies its mails. */
type Due = AcceptedUpdate & {
  assignment: Assignment
  former: AssignmentState
  /** what its mails show, however they change the comment */
  mark: string
  /** whether a mail may rewrite or cut the comment */
  isPlain: boolean
  inboxes: string[][]
}

const isPlainComment = (comment: string) =>
  ownComment.test(comment) && ownerOfComment(comment) === 'assign.comment.plain'

/** A mark that is a number may stand in one with an exponent. */
const showsMark = ({ words }: Mail, mark: string): boolean =>
  new RegExp(`${wordsOf(mark).replaceAll(/\W/g, '\\$&')}(?:e3)?(?![\\da-z])`).test(words)

/** The assignments whose comments mails have to show, and those that some mails show to all recipients. */
function mailingOf(ledger: Ledger, settings: Settings) {
  const people = [...settings.userIds, ...settings.teamIds]
  // An unchanged assignee may get no mail.
  const toNew = stepsOf(ledger).flatMap(({ update, former }) => {
    const { assignment } = update
    if (!assignment || former === undefined) return []
    const { assigned_to_id: id, assigned_to_type: type } = assignment
    const inboxes = inboxesOf({ id, type }, settings)
    return isSameId(former?.assigned_to_id, id) ? [] : [{ ...update, assignment, former, inboxes }]
  })
  const due = toNew.flatMap((update): Due[] => {
    const { comment = '', assignment, inboxes } = update
    const isPlain = isPlainComment(comment)
    const mark = isPlain ? comment : markOf(comment)
    const isKnown = people.some((one) => isSameId(one, assignment.assigned_to_id))
    const canBeTied = isPlain || inboxes.length > 0
    return mark !== undefined && isKnown && canBeTied ? [{ ...update, mark, isPlain }] : []
  })
  const marks = ledger.updates.flatMap(({ comment = '' }) => {
    const text = wordsOf(markOf(comment) ?? comment)
    return text === '' ? [] : [text]
  })
  /** Mails without a comment count if there are more of them than assignments without one. */
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

/** Looks until all recipients were mailed since the sequence began, or the time is over. */
export async function fetchMailing(
  ledger: Ledger,
  { recipients, clues, later, late }: Arrivals,
  { settings, stop }: { settings: Settings; stop: AbortSignal },
) {
  const [since = Number.POSITIVE_INFINITY] = clues.sent
  const { due: all, isMailed } = mailingOf(ledger, settings)
  const due = all.filter(({ at }) => at >= since)
  const slowest = Math.max(0, ...[...late.values()].map((delay) => delay || 0))
  const isAwaited = recipients.some(({ comment }) => comment !== undefined)
  const limitMs = Math.max(settings.mailWaitS * 1000, 2 * slowest)
  const { last } = await poll(
    async () => {
      const mails = await later()
      return { mails, missing: due.filter((update) => !isMailed(update, mails)) }
    },
    // The mails of the sequence have arrived: if none shows a comment, no other will.
    ({ mails, missing }) => missing.length === 0 || (isAwaited && !mails.some(mayShowComment)),
    { limitMs, stop, firstMs: 100, askLate: true },
  )
  const { mails, missing } = last
  const mailed = due.filter((update) => !missing.includes(update))
  const problemsOf = (update: Due): Problem[] => {
    if (mailed.includes(update)) return []
    const { task, assignment, comment, exchange } = update
    const sentence = `task ${task} was assigned to ${assignment.assigned_to_type} ${assignment.assigned_to_id} with the comment ${shown(comment)}, and no email to whom it was assigned shows that`
    const seen = { expected: 'an email to each of them', got: 'an email is missing' }
    const control = mailed.slice(0, 3).map((each) => each.exchange)
    const again = { why: 'it shows in a mailbox, which a script cannot read' }
    return [problem(sentence, { ...seen, judged: [exchange], control, again })]
  }
  /** Where mails show what ends a comment, none of them may show the rest otherwise than it was sent. */
  const problemsOfTexts = ({ mark, comment = '', exchange }: Due): Problem[] => {
    const own = mails.filter((mail) => showsMark(mail, mark))
    if (own.some((mail) => shows(mail, wordsOf(comment)))) return []
    const sentence = `emails of an assignment show ${shown(mark)} of its comment, and none shows ${shown(comment)}`
    const seen = { expected: comment, got: 'an email with other texts', judged: [exchange] }
    return [problem(sentence, { ...seen, again: { why: 'a mailbox has to be read' } })]
  }
  const marked = due.filter(
    ({ isPlain, comment = '', mark }) =>
      !isPlain && !comment.startsWith('=') && mails.some((mail) => showsMark(mail, mark)),
  )
  const isShown = due.some(({ comment = '' }) =>
    mails.some((mail) => shows(mail, wordsOf(comment))),
  )
  return { due, problemsOf, isShown, marked, problemsOfTexts }
}

/** Which people of the update have an address. */
type OtherMailed = 'nobody' | 'the assignee before' | 'who assigns' | 'somebody else'

/**
 * Who else was mailed about an assignment, and who more than once. A mail belongs to the last comment that
 * it shows.
 */
export function describeOthers(ledger: Ledger, mails: readonly Mail[], settings: Settings) {
  const due = mailingOf(ledger, settings).due.filter(({ isPlain }) => isPlain)
  const latest = mails.map((mail) => due.findLast(({ mark }) => showsMark(mail, mark)))
  const updates = due.filter(({ inboxes }) => inboxes.length > 0)
  const unknown = 'the owners of the addresses that got emails are unknown'
  premise(updates.length > 0, 'setting', `set USER_MAILS and TEAM_MAILS: ${unknown}`)
  const others = new Set<OtherMailed>()
  let twice: 'the assignee' | 'nobody' = 'nobody'
  for (const update of updates) {
    const own = mails.filter((_, at) => latest[at] === update)
    for (const address of own.flatMap(({ to }) => to))
      if (!update.inboxes.flat().includes(address)) others.add(whoIs(address, update, settings))
    const isTwice = (inbox: string[]) => own.filter((mail) => goesTo(mail, inbox)).length > 1
    if (update.inboxes.some(isTwice)) twice = 'the assignee'
  }
  if (others.size === 0) others.add('nobody')
  return { others: [...others].sort(), twice }
}

function whoIs(address: string, { former, assignment }: Due, settings: Settings): OtherMailed {
  const before = former && { id: former.assigned_to_id, type: former.assigned_to_type }
  if (before && addressesOf(before, settings).includes(address)) return 'the assignee before'
  const by = { id: assignment.assigned_by_id, type: 'USER' as const }
  return addressesOf(by, settings).includes(address) ? 'who assigns' : 'somebody else'
}
