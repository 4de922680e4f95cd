// Recorded updates as cases: what was wrong with each, what its task showed, and one like it that was accepted.

import { isAccepted, isObject } from '../../engine/http/answers.ts'
import { beside, from } from '../../engine/origin.ts'
import { isUuid } from '../../engine/settings/parsers.ts'
import { wordsOf } from '../../engine/word-list.ts'
import { type History, isAcceptedOp, isDescribedOp, type Op } from '../history/history.ts'
import type { Task } from '../service/answers.ts'
import { ownerOfComment } from '../service/comments.ts'
import { isSameId } from '../service/ids.ts'
import { problemsOf } from '../service/schema.ts'
import {
  isUnassign,
  objectIn,
  type Transition,
  toIn,
  transitions,
} from '../service/update-request.ts'
import type { Moment, Update } from './moments.ts'
import { isPlainRefusal } from './recorded.ts'

export const comments = wordsOf(
  'plain non-latin quotes long newlines emoji right-to-left null omitted unassign-with unassign-without unassign-null not-inherited',
)

/** A read that comes later than this after an update shows what it left, on any replica. */
export const quietMs = 30_000

export type Updated = Pick<Moment, 'seen' | 'isWhole'> & Update

/** What the updates show that the service itself answered. */
export const updatesIn =
  <Case>(find: (one: Updated) => Case | undefined) =>
  ({ seen, isWhole, update }: Moment): Case | undefined =>
    update && (isAccepted(seen.answer) || isPlainRefusal(seen))
      ? find({ seen, isWhole, ...update })
      : undefined

export const taskOf = ({ task, shown, answer }: Op): Task =>
  from(
    { id: task, updated_at: shown?.version ?? '', assignment: shown?.assignment ?? null },
    answer,
  )

/** The first such request about its task that was sent after its answer. */
export function nextOf(
  { history, op, next }: Updated,
  isSo: (each: Op) => boolean,
): Op | undefined {
  const ended = history.endedOf(op.task)
  for (let at = next; at < ended.length; at += 1) {
    const each = ended[at] as Op
    if (each.begun > op.done && isSo(each)) return each
  }
  return undefined
}

/** An update as an attempt: it had an effect if its answer shows a new version that is as it asks. */
export function triedOf(one: Updated, what = '') {
  const { seen, op, isWhole, current, like } = one
  const { answer } = seen
  const control = [like, current?.answer].find((each) => each && each.exchange !== seen.number)
  const isNew = current ? op.shown?.version !== current.shown?.version : !isUuid(seen.id)
  const isDone = isWhole && isAccepted(answer) && op.shown && isNew && isCarriedOut(op)
  const version: Record<string, string> = current?.shown
    ? { updated_at: current.shown.version }
    : {}
  const tried = {
    attempt: { what },
    answer: beside(answer, { control }),
    before: taskOf(current ?? op),
    carriedOut: isDone ? taskOf(op) : undefined,
    refused: undefined,
    traces: [],
    isLike: like !== undefined,
    decides: { 'If-Match': op.ifMatch ?? 'none', ...version },
  }
  return beside(from(tried, answer), { control })
}
type Tried = ReturnType<typeof triedOf>
export type Find = (moment: Moment) => Tried | undefined

/** Those whose effect, or refusal, is known. */
export const withEffect =
  (find: Find): Find =>
  (moment) => {
    const tried = find(moment)
    return tried && (!isAccepted(tried.answer) || tried.carriedOut) ? tried : undefined
  }

/** Those that 409 is due to: another refusal may be for another reason, unless one like it was accepted. */
export const asMismatch =
  (find: Find): Find =>
  (moment) => {
    const tried = find(moment)
    const isTelling = tried && (isAccepted(tried.answer) || tried.answer.status === 409)
    return isTelling || tried?.isLike ? tried : undefined
  }

/** Other accepted updates that have used its If-Match. */
export const usedBy = (history: History, op: Op): Op[] =>
  history
    .using(op.task, op.ifMatch)
    .filter(
      (each) =>
        each !== op && isAcceptedOp(each) && each.shown && each.shown.version !== op.ifMatch,
    )

export const isDescribedUpdate = ({ seen, op }: Updated) =>
  isUuid(seen.id) && op.ifMatch !== undefined && isDescribedOp(op)

/** Whether it was refused, and not for its id, nor as it asks for what the task had in the version that it names. */
export function isRefusal({ seen, op, history }: Updated): boolean {
  const had = history.firstSight(op.task, op.ifMatch)?.assignment?.assigned_to_id
  const { answer } = seen
  return !isAccepted(answer) && answer.status !== 404 && !isSameId(had, toIn(op.body))
}

export const isCurrent = ({ op, current }: Updated) => current?.shown?.version === op.ifMatch

/** Whether it was refused, with another status than 409, although its version was current. */
export const isRefusedCurrent = (one: Updated): boolean =>
  isDescribedUpdate(one) && isCurrent(one) && isRefusal(one) && one.seen.status !== 409

/** Whether its answer shows the assignee that it asks for. */
function isCarriedOut({ body, shown }: Op): boolean {
  const [to, now] = [toIn(body), shown?.assignment]
  return to === null ? now === null : to === undefined || isSameId(now?.assigned_to_id, to)
}

/** The transition that an update asks for; undefined: the contract names none, or it is not known. */
export function transitionOf(
  sent: unknown,
  before: { assigned_to_type: string } | null | undefined,
): Transition | undefined {
  if (before === undefined) return undefined
  const from = before === null ? 'unassigned' : String(before.assigned_to_type).toLowerCase()
  const type = String(objectIn(sent).assigned_to_type).toLowerCase()
  const name = isUnassign(sent) ? `unassign-${from}` : `${from}-to-${type}`
  return transitions.find((each) => each === name)
}

/** The form of its comment, by the part of a clause's id that names it. */
export function formOf(sent: unknown): string | undefined {
  const { assignment_comment: comment } = objectIn(sent)
  const isAbsent = comment === undefined
  if (isUnassign(sent))
    return isAbsent ? 'unassign-without' : comment === null ? 'unassign-null' : 'unassign-with'
  if (isAbsent || comment === null) return isAbsent ? 'omitted' : 'null'
  return typeof comment === 'string' && comment !== ''
    ? ownerOfComment(comment)?.replace('assign.comment.', '')
    : undefined
}

const required = ['assigned_by_id', 'assigned_to_id', 'assigned_to_type', 'unassign-assigned_by_id']

/** The clause on what is wrong with a body; undefined: it is right, or more is wrong, or something else. */
export function clauseOfMistake(sent: unknown): string | undefined {
  const wrong = isObject(sent) ? problemsOf('update-assignment', sent) : []
  const [only, more] = wrong.filter(({ path }) => path !== '')
  if (!only || more) return undefined
  const name = only.path.replace(/^update\./, '').replace(/^unassign\./, 'unassign-')
  if (only.kind === 'missing' && required.includes(name)) return `assign.required.${name}`
  return name === 'assigned_to_type' ? 'assign.type-values' : undefined
}
