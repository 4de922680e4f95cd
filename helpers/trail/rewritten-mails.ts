// Assignments with comments that a mail may write in another way, or cut: their mails are told by the part
// of the comment that nothing changes.

import { type Accepted, type Ledger, stepsOf } from '../history/accepted-updates.ts'
import type { Assignment } from '../service/answers.ts'
import { isSameId } from '../service/ids.ts'
import type { Settings } from '../settings/table.ts'
import { comments } from '../updates/comment-kinds.ts'
import { type Mail, wordsOf } from './mailbox.ts'
import { goesTo, inboxesOf, shows } from './mails.ts'

/** What only this comment holds, in plain letters and digits; undefined: it is of no such kind. */
function markOf(comment: string): string | undefined {
  for (const text of Object.values(comments)) {
    const [before = '', behind = ''] = text('\0').split('\0')
    const end = behind === '' ? comment.length : comment.indexOf(behind.slice(0, fewLetters))
    const mark = comment.slice(before.length, end)
    if (comment.startsWith(before) && end > before.length && text(mark) === comment) return mark
  }
  return undefined
}

const fewLetters = 30

/** Whether mails of it can be told: by the mark, and by the addresses of whom it went to. */
export const isMarked = ({ assignment, comment = '' }: Accepted, settings: Settings): boolean =>
  markOf(comment) !== undefined &&
  assignment !== null &&
  inboxesFor(assignment, settings).length > 0

const inboxesFor = (
  { assigned_to_id: id, assigned_to_type: type }: Assignment,
  settings: Settings,
) => inboxesOf({ id, type }, settings)

/**
 * Whether whoever such an assignment went to was mailed of it. Mails that show no comment of the run may be
 * of these: they count where there are more of them than assignments without a comment.
 */
export function createRewritten(ledger: Ledger, settings: Settings) {
  const steps = stepsOf(ledger)
  const isToNew = ({ update, former }: (typeof steps)[number]) =>
    former !== undefined && !isSameId(former?.assigned_to_id, update.assignment?.assigned_to_id)
  const bare = steps.filter((step) => !step.update.comment && isToNew(step))
  const words = ledger.updates.flatMap(({ comment = '' }) => {
    const text = markOf(comment) ?? comment
    return text === '' ? [] : [wordsOf(text)]
  })
  const isOf = (mail: Mail, mark: string) =>
    new RegExp(`${wordsOf(mark).replaceAll(/\W/g, '\\$&')}(?!\\d)`).test(mail.words)

  const mayBeMailed = (inbox: readonly string[], mails: readonly Mail[]) => {
    const untold = mails.filter(
      (mail) => goesTo(mail, inbox) && !words.some((text) => shows(mail, text)),
    )
    const expected = bare.filter(
      ({ update: { assignment } }) =>
        assignment &&
        inboxesFor(assignment, settings)
          .flat()
          .some((one) => inbox.includes(one)),
    )
    return untold.length > expected.length
  }
  return ({ assignment, comment = '' }: Accepted, mails: readonly Mail[]): boolean => {
    const mark = markOf(comment)
    if (!assignment || mark === undefined) return true
    const own = mails.filter((mail) => isOf(mail, mark))
    return inboxesFor(assignment, settings).every(
      (inbox) => own.some((mail) => goesTo(mail, inbox)) || mayBeMailed(inbox, mails),
    )
  }
}
