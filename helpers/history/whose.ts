// Who made what a read shows after an update: the one place that decides it.

import type { Assignment } from '../service/answers.ts'
import { isSameButSpelling } from '../service/assignments.ts'
import { commentIn } from '../service/comments.ts'
import { isSameId } from '../service/ids.ts'
import { objectIn, toIn } from '../service/update-request.ts'
import { type History, isAcceptedOp, type Op } from './history.ts'
import { isByOther, mayBeByOther } from './questions.ts'

/** `open`: nothing that this run knows explains it. */
export type Whose = 'as before' | 'this update' | 'another of ours' | 'another writer' | 'open'

/**
 * `old`: the newest sight before the update; `isReplaced`: an accepted update had replaced the version that
 * the read shows.
 */
export function whoseOf(
  history: History,
  op: Op,
  { shown }: Op,
  { old, isReplaced }: { old: Op | undefined; isReplaced: boolean },
): Whose {
  const { version, assignment = null } = shown ?? {}
  const [before, answered] = [old?.shown, op.shown]
  const comment = assignment?.assignment_comment || undefined
  if (version !== undefined && version === answered?.version) return 'this update'
  if (isReplaced || version === before?.version) return 'as before'
  if (answered && isSameButSpelling(assignment, answered.assignment)) return 'this update'
  if (before && isSameButSpelling(assignment, before.assignment)) return 'as before'
  if (comment !== undefined && comment === commentIn(op.body)) return 'this update'
  const isInherited = comment === before?.assignment?.assignment_comment
  if (comment !== undefined && !isInherited && history.sending(comment).length > 0)
    return 'another of ours'
  if (before && isAsked(op, assignment) && !mayBeByOther(history, assignment)) return 'this update'
  return isByOther(history, assignment) ? 'another writer' : 'open'
}

/** Whether it is what an update asks for. Others assign to the same people, but in another name. */
function isAsked(op: Op, assignment: Assignment | null): boolean {
  const [to, isAccepted] = [toIn(op.body), isAcceptedOp(op)]
  if (!assignment || to === null) return !assignment && (to === null || !isAccepted)
  const { assigned_to_id: now, assigned_by_id } = assignment
  const isBy = !isAccepted || isSameId(assigned_by_id, objectIn(op.body).assigned_by_id)
  // What a malformed update asks for is what its text names.
  const isTo = typeof to === 'string' ? isSameId(now, to) : JSON.stringify(op.body).includes(now)
  return isBy && isTo
}
