// Recorded updates as cases: what was wrong with each, what its task showed, and one like it that was accepted.

import { isAccepted, isObject } from '../../engine/http/answers.ts'
import { beside, from } from '../../engine/origin.ts'
import { isUuid } from '../../engine/settings/parsers.ts'
import { wordsOf } from '../../engine/word-list.ts'
import { type History, isAcceptedOp, isBeside, isDescribedOp, type Op } from '../history/history.ts'
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

type Updated = Pick<Moment, 'seen' | 'isWhole'> & Update

/** What the updates show that the service itself answered. */
export const updatesIn =
  <Case>(find: (one: Updated) => Case | undefined) =>
  ({ seen, isWhole, update }: Moment): Case | undefined =>
    update && (isAccepted(seen.answer) || isPlainRefusal(seen))
      ? find({ seen, isWhole, ...update })
      : undefined

const taskOf = ({ task, shown, answer }: Op): Task =>
  from(
    { id: task, updated_at: shown?.version ?? '', assignment: shown?.assignment ?? null },
    answer,
  )

/** The first such request about its task that was sent after its answer. */
function nextOf({ history, op, next }: Updated, isSo: (each: Op) => boolean): Op | undefined {
  const ended = history.endedOf(op.task)
  for (let at = next; at < ended.length; at += 1) {
    const each = ended[at] as Op
    if (each.begun > op.done && isSo(each)) return each
  }
  return undefined
}

/** An update as an attempt: it had an effect if its answer shows a new version that is as it asks. */
function triedOf(one: Updated, what = '') {
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
type Find = (moment: Moment) => Tried | undefined

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

const isValid = ({ seen }: Updated) =>
  'content-type' in seen.requestHeaders && problemsOf('update-assignment', seen.sent).length === 0

/** The valid updates whose If-Match is so beside the version that their task had shown, and no version of it. */
export const updatesWith = (
  isSo: (ifMatch: string | undefined, current: string) => boolean,
  what?: string,
  kind?: 'update' | 'unassign',
): Find =>
  updatesIn((one) => {
    const { op, history, current } = one
    if (kind && isUnassign(op.body) !== (kind === 'unassign')) return undefined
    const isVersion = op.ifMatch !== undefined && history.firstSight(op.task, op.ifMatch)
    const version = current?.shown?.version
    return isValid(one) && !isVersion && version !== undefined && isSo(op.ifMatch, version)
      ? triedOf(one, what)
      : undefined
  })

/** The updates with one mistake in their body, which a clause judges; none of those whose body is open. */
export const mistakenUpdates = (
  clause: string,
  what?: string,
  isOpen: (sent: unknown) => boolean = () => false,
): Find =>
  updatesIn((one) => {
    const { op, seen } = one
    const isSo = op.ifMatch !== undefined && clauseOfMistake(seen.sent) === clause
    return isSo && !isOpen(seen.sent) ? triedOf(one, what) : undefined
  })

/** The updates whose body is not JSON. One that the recorder cut is not JSON either. */
export const unreadableUpdates = (what: string): Find =>
  updatesIn((one) => {
    const { sent, requestBody = '', requestHeaders } = one.seen
    const isWhole = requestHeaders['content-length'] === `${Buffer.byteLength(requestBody)}`
    return sent === requestBody && isWhole && one.op.ifMatch !== undefined
      ? triedOf(one, what)
      : undefined
  })

export const updatesOfMalformedIds = (what?: string): Find =>
  updatesIn((one) => (isUuid(one.seen.id) ? undefined : triedOf(one, what)))

/** The updates of an id that reads before and after show as absent, or that was not found. */
export const updatesOfUnknownIds = (kind: 'update' | 'unassign') =>
  updatesIn((one) => {
    const { seen, op, history, current } = one
    const isOfKind = isUnassign(op.body) === (kind === 'unassign')
    if (current || !isOfKind || !isDescribedUpdate(one)) return undefined
    const isRead = ({ kind }: Op) => kind === 'read'
    const before = history.endedOf(op.task).findLast((each) => isRead(each) && each.done < op.begun)
    const reads = [before?.answer, nextOf(one, isRead)?.answer]
    const isAbsent = reads.every((answer) => answer?.status === 404)
    if (isAbsent) return beside(seen.answer, { control: reads })
    return seen.status === 404 ? seen.answer : undefined
  })

/** Other accepted updates that have used its If-Match. */
export const usedBy = (history: History, op: Op): Op[] =>
  history
    .using(op.task, op.ifMatch)
    .filter(
      (each) =>
        each !== op && isAcceptedOp(each) && each.shown && each.shown.version !== op.ifMatch,
    )

const isDescribedUpdate = ({ seen, op }: Updated) =>
  isUuid(seen.id) && op.ifMatch !== undefined && isDescribedOp(op)

/** Whether it was refused, and not for its id, nor as it asks for what the task had in the version that it names. */
function isRefusal({ seen, op, history }: Updated): boolean {
  const had = history.firstSight(op.task, op.ifMatch)?.assignment?.assigned_to_id
  const { answer } = seen
  return !isAccepted(answer) && answer.status !== 404 && !isSameId(had, toIn(op.body))
}

/** The refused updates with an If-Match that an accepted one has used. */
export const staleUpdates = (kind: 'assign' | 'reassign' | 'unassign') =>
  asMismatch(
    updatesIn((one) => {
      const { op, history, current } = one
      const used = usedBy(history, op).some(({ done }) => done < op.begun)
      if (!used || !isDescribedUpdate(one)) return undefined
      const own = current?.shown?.assignment ? 'reassign' : 'assign'
      const isOfKind = (isUnassign(op.body) ? 'unassign' : own) === kind
      const isTold = one.seen.status === 409 || isRefusal(one)
      return isOfKind && isTold ? triedOf(one) : undefined
    }),
  )

const isCurrent = ({ op, current }: Updated) => current?.shown?.version === op.ifMatch

/** The updates with the current version that were refused, though one like it was accepted. */
export const refusedTransitions = (name: Transition) =>
  updatesIn((one) => {
    const { seen, op, history } = one
    if (!isDescribedUpdate(one) || !isCurrent(one) || !isRefusal(one)) return undefined
    const had = history.firstSight(op.task, op.ifMatch)?.assignment
    const control = seen.status !== 409 && one.like
    return control && transitionOf(op.body, had) === `assign.${name}`
      ? { before: taskOf(op), sent: { to: null }, answer: beside(seen.answer, { control }) }
      : undefined
  })

/** The same, in a form of its comment that has to be accepted, where others to the same people were. */
export const refusedForms = (form: string) =>
  updatesIn((one) => {
    const { seen, op } = one
    if (!isDescribedUpdate(one) || !isCurrent(one) || !isRefusal(one)) return undefined
    const isOther = seen.status !== 409 && formOf(op.body) === form && !one.like
    const answer = isOther ? one.likely : undefined
    return answer
      ? {
          ...{ before: taskOf(op), sent: { to: null }, answer: seen.answer },
          ...{ control: { comment: undefined, answer }, what: 'an update in this form' },
        }
      : undefined
  })

/**
 * The updates with the current version. A version is never used again: one that is shown later was current when
 * an update was answered 409. One that asks for what the task has already may be refused with any status.
 */
export const updatesOfCurrent = updatesIn((one) => {
  const { seen, op, history } = one
  const { answer } = seen
  if (!isDescribedUpdate(one)) return undefined
  if (isAccepted(answer)) return one.isWhole && isCurrent(one) ? { answer } : undefined
  const held = history.firstSight(op.task, op.ifMatch)?.assignment
  const isSame = isSameId(held?.assigned_to_id ?? '', toIn(op.body) ?? '')
  if (answer.status !== 409 || held === undefined || isSame) return undefined
  const isShowing = (each: Op) =>
    each.kind === 'read'
      ? each.shown?.version === op.ifMatch && op.ended + quietMs <= each.sent
      : isAcceptedOp(each) && each.ifMatch === op.ifMatch && isDescribedOp(each)
  const isOther = ({ shown }: Op) => shown !== undefined && shown.version !== op.ifMatch
  const since = nextOf(one, (each) => isShowing(each) || isOther(each))
  return since && isShowing(since)
    ? { answer: beside(answer, { control: since.answer }) }
    : undefined
})

/** The updates that were answered 409, with what their task showed next, if that is the version of before. */
export const unchangedUpdates = updatesIn((one) => {
  const { seen, current } = one
  if (seen.status !== 409 || !isDescribedUpdate(one)) return undefined
  const next = nextOf(one, ({ shown }) => shown !== undefined)
  return next && current && next.shown?.version === current.shown?.version
    ? { ...triedOf(one), stored: taskOf(next) }
    : undefined
})

/** A 409, and the update after it, if that was accepted. */
export const retriedUpdates = updatesIn((one) => {
  const { seen } = one
  const next = seen.status === 409 ? nextOf(one, ({ kind }) => kind === 'update') : undefined
  return next?.answer && isAcceptedOp(next) && isDescribedOp(next)
    ? { next: next.answer, control: seen.answer }
    : undefined
})

/** An update beside accepted ones with its If-Match, if it was accepted or answered 409. */
export const racingUpdates = updatesIn((one) => {
  const { seen, op, history } = one
  const others = usedBy(history, op).filter(
    (each) => isBeside(each, op) && each.shown?.version !== op.shown?.version,
  )
  if (others.length === 0 || !isDescribedUpdate(one)) return undefined
  if (!isAccepted(seen.answer) && seen.status !== 409) return undefined
  const sent = [op, ...others]
  const round = {
    sent,
    refused: isAccepted(seen.answer) ? [] : [seen.answer],
    stored: taskOf(op),
    isSettled: false,
    isIdle: sent.every(({ body }) => isUnassign(body)),
  }
  return from({ rounds: [round], lost: [] }, ...sent.map(({ answer }) => answer))
})

/** Whether its answer shows the assignee that it asks for. */
function isCarriedOut({ body, shown }: Op): boolean {
  const [to, now] = [toIn(body), shown?.assignment]
  return to === null ? now === null : to === undefined || isSameId(now?.assigned_to_id, to)
}

/** The clause on the transition that an update asks for; undefined: the contract names none, or it is not known. */
export function transitionOf(
  sent: unknown,
  before: { assigned_to_type: string } | null | undefined,
): string | undefined {
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
