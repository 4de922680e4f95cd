// Whether every assignment of the run was mailed, whichever clause made it: told by the comments that mails show.

import { type Problem, problem } from '../../engine/problem.ts'
import { shown } from '../../engine/shown.ts'
import { poll } from '../../engine/time/polling.ts'
import {
  type Accepted,
  type Ledger,
  type LedgerStep,
  stepsOf,
} from '../history/accepted-updates.ts'
import { ownComment, ownerOfComment } from '../service/comments.ts'
import { isSameId } from '../service/ids.ts'
import type { Settings } from '../settings/table.ts'
import type { Arrivals } from './mail-watch.ts'
import { type Mail, wordsOf } from './mailbox.ts'
import { addressesOf, goesTo, mayShowComment, shows } from './mails.ts'
import { createRewritten, isMarked } from './rewritten-mails.ts'

type Told = {
  problems: Problem[]
  /** assignments whose mails are seen, and how many there were */
  mailed: number
  due: number
  /** whether any mail shows the comment of one of them */
  isShown: boolean
}

/** Assignments with a comment of their own of which somebody who is to be mailed was not. */
export async function problemsOfMailing(
  ledger: Ledger,
  { recipients, clues, later, late }: Arrivals,
  { settings, stop }: { settings: Settings; stop: AbortSignal },
): Promise<Told> {
  const [since = Number.POSITIVE_INFINITY] = clues.sent
  const isRewritten = createRewritten(ledger, settings)
  const isMailedOf = (update: Accepted, mails: readonly Mail[]) => {
    const isTold = isPlain(update) ? isMailed : isRewritten
    return isTold(update, mails, settings)
  }
  const due = assignmentsToNew(ledger, settings).flatMap(({ update }) =>
    update.at >= since && (isPlain(update) || isMarked(update, settings)) ? [update] : [],
  )
  const slowest = Math.max(0, ...[...late.values()].filter((delay) => !Number.isNaN(delay)))
  const isAwaited = recipients.some(({ comment }) => comment !== undefined)
  const { last } = await poll(
    async () => {
      const mails = await later()
      return { mails, missing: due.filter((update) => !isMailedOf(update, mails)) }
    },
    // The mails of the journey were waited for: where none shows a comment, others will not either.
    ({ mails, missing }) => missing.length === 0 || (isAwaited && !mails.some(mayShowComment)),
    {
      limitMs: Math.max(settings.mailWaitS * 1000, 2 * slowest),
      stop,
      firstMs: 100,
      askLate: true,
    },
  )
  const { mails, missing } = last
  const control = due.filter((update) => !missing.includes(update)).map(({ exchange }) => exchange)
  const problems = missing.map(({ task, assignment, comment, exchange }) =>
    problem(
      `task ${task} was assigned to ${assignment?.assigned_to_type} ${assignment?.assigned_to_id} with the comment ${shown(comment)}, and no mail to whom it was assigned shows that`,
      {
        expected: 'a mail to each of them',
        got: 'a mail is missing',
        judged: [exchange],
        control: control.slice(0, 3),
        again: { why: 'a mailbox has to be read' },
      },
    ),
  )
  const isShown = due.some(({ comment = '' }) =>
    mails.some((mail) => shows(mail, wordsOf(comment))),
  )
  return { problems, mailed: due.length - missing.length, due: due.length, isShown }
}

/** The assignments that a mail can be tied to by their comment: it may write others in another way. */
export const stepsToMail = (ledger: Ledger, settings: Settings): LedgerStep[] =>
  assignmentsToNew(ledger, settings).filter(({ update }) => isPlain(update))

const isPlain = ({ comment = '' }: Accepted) =>
  ownComment.test(comment) && ownerOfComment(comment) === 'assign.comment.plain'

/** An assignee who stays may get no mail. */
function assignmentsToNew(ledger: Ledger, { userIds, teamIds }: Settings): LedgerStep[] {
  const people = [...userIds, ...teamIds]
  return stepsOf(ledger).filter(({ update: { assignment }, former }) => {
    if (!assignment || former === undefined) return false
    const { assigned_to_id: id } = assignment
    const isKnown = people.some((one) => isSameId(one, id))
    return isKnown && !isSameId(former?.assigned_to_id, id)
  })
}

function isMailed(
  { assignment, comment = '' }: Accepted,
  mails: readonly Mail[],
  settings: Settings,
): boolean {
  const own = mails.filter((mail) => shows(mail, wordsOf(comment)))
  if (!assignment) return true
  const { assigned_to_id: id, assigned_to_type: type } = assignment
  const known = addressesOf({ id, type }, settings)
  if (known.length === 0) return own.length > 0
  const isReached = (address: string) => own.some((mail) => goesTo(mail, [address]))
  return type === 'TEAM' ? known.every(isReached) : known.some(isReached)
}
