// The cases of updates in recorded traffic.

import { isAccepted } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { beside, from } from '../../engine/origin.ts'
import { isUuid } from '../../engine/settings/parsers.ts'
import { type History, isAcceptedOp, isDescribedOp, type Op } from '../history/history.ts'
import type { Task } from '../service/answers.ts'
import { ownerOfComment } from '../service/comments.ts'
import { isSameId } from '../service/ids.ts'
import { isPlainRefusal, type Seen } from '../service/seen.ts'
import { isUnassign, objectIn, toIn } from '../service/update-request.ts'

export type UpdateInHistory = {
  history: History
  op: Op
  /** what of its task ended after it, from there on */
  next: number
  /** what last showed its task before it */
  current: Op | undefined
  /** of its recording: what one key may do says nothing about another */
  isOnlyClient: boolean
  /** accepted updates of its task to the same people: with a comment of the same signs, of its form, and any */
  sameSigns?: Answer | undefined
  sameForm?: Answer | undefined
  samePeople?: Answer | undefined
  /** what later reads show of it, if it was rejected */
  effect?: Effect | undefined
}

/** The read that shows an update: only the version is new, or the assignment asked for. */
export type Effect = { read: Op; isTouched: boolean }

/** A read that comes later than this after an update shows what it left, on any replica. */
export const quietMs = 30_000

export type SeenUpdate = UpdateInHistory & { seen: Seen }
export type Around = { seen: Seen; update: UpdateInHistory | undefined }

export const updatesIn =
  <Case>(find: (one: SeenUpdate) => Case | undefined) =>
  ({ seen, update }: Around): Case | undefined =>
    update && (isAccepted(seen.answer) || isPlainRefusal(seen))
      ? find({ seen, ...update })
      : undefined

export const taskOf = ({ task, shown, answer }: Op): Task =>
  from(
    { id: task, updated_at: shown?.version ?? '', assignment: shown?.assignment ?? null },
    answer,
  )

/** The first such request about its task that was sent after its answer. */
export const nextOf = (
  { history, op, next }: SeenUpdate,
  isSo: (each: Op) => boolean,
): Op | undefined =>
  history
    .endedOf(op.task)
    .slice(next)
    .find((each) => each.begun > op.done && isSo(each))

/** An update as an attempt: it had an effect if its answer, or a read, shows a new version that is as it asks. */
export function triedOf({ seen, op, current, sameForm, effect }: SeenUpdate, what = '') {
  const { answer, body: came } = seen
  const control = [sameForm, current?.answer].find((each) => each && each.exchange !== seen.number)
  const [before, { body, ifMatch, shown }] = [current ?? op, op]
  const isNew = current ? shown?.version !== current.shown?.version : !isUuid(op.task)
  const [to, now] = [toIn(body), shown?.assignment]
  const isAsSent =
    to === null ? now === null : to === undefined || isSameId(now?.assigned_to_id, to)
  const isDone = came && isAccepted(answer) && shown && isNew && isAsSent
  const by = isDone ? op : effect?.isTouched === false ? effect.read : undefined
  const tried = {
    attempt: { what, ...(effect && { version: () => ifMatch }) },
    answer: beside(answer, { control }),
    before: taskOf(before),
    carriedOut: by && taskOf(by),
    stored: taskOf(effect?.read ?? before),
    refused: undefined,
    traces: [],
    isLike: sameForm !== undefined,
    decides: { 'If-Match': ifMatch ?? 'none', updated_at: before.shown?.version ?? 'unknown' },
  }
  return beside(from(tried, answer, effect?.read.answer), { control })
}
type Tried = ReturnType<typeof triedOf>
export type Find = (moment: Around) => Tried | undefined

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

export const usedBy = (history: History, op: Op): Op[] =>
  history
    .using(op.task, op.ifMatch)
    .filter(
      (each) =>
        each !== op && isAcceptedOp(each) && each.shown && each.shown.version !== op.ifMatch,
    )

export const isDescribedUpdate = ({ op }: Pick<UpdateInHistory, 'op'>) =>
  isUuid(op.task) && op.ifMatch !== undefined && isDescribedOp(op)

/** Whether it was refused, and not for its id, nor as it asks for what the task had in the version that it names. */
export function isRefusal({ seen, op, history }: SeenUpdate): boolean {
  const had = history.firstSight(op.task, op.ifMatch)?.assignment?.assigned_to_id
  const { answer } = seen
  return !isAccepted(answer) && answer.status !== 404 && !isSameId(had, toIn(op.body))
}

export const isCurrent = ({ op, current }: SeenUpdate) => current?.shown?.version === op.ifMatch

/** Whether it was refused, with another status than 409, although its version was current. */
export const isRefusedCurrent = (one: SeenUpdate): boolean =>
  isDescribedUpdate(one) && isCurrent(one) && isRefusal(one) && one.seen.status !== 409

/** The form of its comment, by the part of a clause's id that names it. */
export function formOf(sent: unknown): string | undefined {
  const { assignment_comment: comment } = objectIn(sent)
  if (isUnassign(sent))
    return `unassign-${comment === undefined ? 'without' : comment === null ? 'null' : 'with'}`
  if (comment == null) return comment === null ? 'null' : 'omitted'
  return typeof comment === 'string' && comment !== ''
    ? ownerOfComment(comment)?.replace('assign.comment.', '')
    : undefined
}
