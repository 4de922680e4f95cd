// What an update asks for, by the part of a clause's id that names its form.

import { isObject } from '../../engine/http/answers.ts'
import { wordsOf } from '../../engine/word-list.ts'
import { ownerOfComment } from '../service/comments.ts'
import { isSameId } from '../service/ids.ts'
import { toIn, transitions } from '../service/update-request.ts'

export const comments = wordsOf(
  'plain non-latin quotes long newlines emoji right-to-left null omitted unassign-with unassign-without unassign-null not-inherited',
)

/** Whether an answer shows the assignee that was asked for. */
export const isCarriedOut = (sent: unknown, now: { assigned_to_id: string } | null): boolean => {
  const to = toIn(sent)
  return to === null ? now === null : to === undefined || isSameId(now?.assigned_to_id, to)
}

/** The transition that an update asks for, from what its version shows; undefined: the contract names none, or it is not known. */
export function transitionOf(
  sent: unknown,
  before: { assigned_to_type: string } | null | undefined,
): string | undefined {
  if (before === undefined) return undefined
  const from = before === null ? 'unassigned' : String(before.assigned_to_type).toLowerCase()
  const update = isObject(sent) && isObject(sent.update) ? sent.update : undefined
  const name = update
    ? `${from}-to-${String(update.assigned_to_type).toLowerCase()}`
    : `unassign-${from}`
  return transitions.find((each) => each === name)
}

export function formOf(sent: unknown): string | undefined {
  const { update, unassign } = isObject(sent) ? sent : {}
  const given = isObject(update) ? update : isObject(unassign) ? unassign : {}
  const comment = given.assignment_comment
  if (isObject(unassign))
    return comment === undefined
      ? 'unassign-without'
      : comment === null
        ? 'unassign-null'
        : 'unassign-with'
  if (comment === undefined) return 'omitted'
  if (comment === null) return 'null'
  return typeof comment === 'string' && comment !== ''
    ? ownerOfComment(comment)?.replace('assign.comment.', '')
    : undefined
}
