import { memberFinding, type Wanted } from '../../engine/findings/member.ts'
import { statusFinding } from '../../engine/findings/status.ts'
import { isObject, type JsonObject } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { shown } from '../../engine/shown.ts'
import { type RequiredField, requiredFields } from '../contract/fields.ts'
import { statuses } from '../contract/statuses.ts'
import { again, commentPath } from '../service/again.ts'
import type { Assignment, SeenTask } from '../service/answers.ts'
import { ownerOfComment, ownersOfComment } from '../service/comments.ts'
import { isSameId } from '../service/ids.ts'
import { type Owned, problemOwnedBy } from '../service/judge.ts'
import { isSameType } from '../service/task-members.ts'
import { isUnassign, toIn } from '../service/update-request.ts'
import { foundWith } from './accepted-updates.ts'
import {
  changedBy,
  fateOf,
  type History,
  isAcceptedOp,
  isDescribedOp,
  isReuse,
  type Op,
  type PriorSights,
} from './history.ts'
import { hasOtherWriter, problemsOfToken, refusedSending } from './questions.ts'

type Broken = { owned: Owned; ops: Op[] }

export const problemsOfOp = (history: History, op: Op): Broken[] => [
  ...problemsOfReusedVersion(history, op),
  ...problemsOfShownRefusal(history, op),
]

/**
 * An update must be rejected if an earlier update has used its If-Match and left another version, unless a
 * read has shown it again since: then the earlier update was not stored, or reads lag.
 */
function problemsOfReusedVersion(history: History, op: Op): Broken[] {
  const { answer, ifMatch, body } = op
  if (!answer || !isAcceptedOp(op) || !isDescribedOp(op)) return []
  const isBefore = ({ shown, done }: Op) => shown !== undefined && done < op.begun
  const used = history
    .using(op.task, ifMatch)
    .findLast((each) => isBefore(each) && isAcceptedOp(each) && each.shown?.version !== ifMatch)
  if (!used?.answer) return []
  const ended = history.endedOf(op.task)
  const last = ended.findLast(isBefore)?.shown
  const isReadSince = (each: Op) => each.kind === 'read' && each.begun > used.done && isBefore(each)
  if (!last || ended.findLast(isReadSince)?.shown?.version === ifMatch) return []
  // Unassigning an unassigned task may do anything, and another writer may have unassigned it.
  const isOpen = last.assignment === null || hasOtherWriter(history)
  if (isUnassign(body) && isOpen) return []
  const kind = isUnassign(body) ? 'unassign' : last.assignment === null ? 'assign' : 'reassign'
  const finding = statusFinding(answer, statuses.staleVersion, {
    to: `to the If-Match ${ifMatch}, which an accepted update had used before`,
  })
  const why = 'an accepted update has to use the version first, in a certain order of requests'
  const grounds = { judged: answer, control: used.answer, again: { why } }
  return [{ owned: problemOwnedBy(`version.stale.${kind}`, finding, grounds), ops: [used, op] }]
}

const ownersOfRefusal: Record<number, string> = {
  [statuses.badKey]: 'auth.refused-changes-nothing',
  [statuses.staleVersion]: 'version.refused-changes-nothing',
}

function problemsOfShownRefusal(history: History, op: Op): Broken[] {
  const comment = op.shown?.assignment?.assignment_comment
  if (!op.answer || typeof comment !== 'string') return []
  const refused = refusedSending(history, comment)
  const owner = refused && ownersOfRefusal[refused.answer.status]
  if (!refused || !owner) return []
  const ops = [...history.sending(comment), op]
  return problemsOfToken(refused, [op.answer], 'to an update').map((each) => ({
    owned: { owner, ...each },
    ops,
  }))
}

type Seen = Op & { answer: Answer; shown: SeenTask; known: PriorSights }

export function problemsOfSight(history: History, op: Op, actorId?: string): Owned[] {
  const { kind, answer, shown, known } = op
  if (!answer || !shown || !known || (kind === 'update' && !isDescribedOp(op))) return []
  const seen = { ...op, answer, shown, known }
  return [
    // A read may have been faster than the answer to its update.
    ...(isReuse(op) ? [] : problemsOfVersion(history, seen)),
    ...(kind === 'update' ? problemsOfUpdate(history, seen, actorId) : []),
    ...problemsOfOtherFields(seen),
  ]
}

const updateIn = ({ kind, body, isPlain }: Op): JsonObject | undefined =>
  kind === 'update' && isPlain && isObject(body) && isObject(body.update) ? body.update : undefined

const commentIn = (assignment: Partial<Assignment> | null | undefined) =>
  assignment?.assignment_comment || null

/** Comments are compared by themselves. */
const fields = requiredFields('update')

/** Another clause judges an answer that lacks the member, or whose type cannot be read. */
function isApart(field: RequiredField, now: unknown, then: unknown): boolean {
  if (typeof now !== 'string' || typeof then !== 'string') return false
  return field === 'assigned_to_type' ? !isSameType(now, then) : !isSameId(now, then)
}

function problemsOfVersion(history: History, seen: Seen): Owned[] {
  const { answer, known, task } = seen
  const { same } = known
  if (!same || same.isReused) return []
  const { assignment: now } = seen.shown
  const { assignment: then, first } = same
  const to = now?.assigned_to_id ?? null
  const isSince = (op: Op) => (op.answer?.exchange ?? 0) > (first.answer?.exchange ?? 0)
  const of = (owner: string, member: string, got: unknown, value: unknown): Owned => {
    const whose = `the response to ${first.answer?.method} ${first.answer?.path}, with the same updated_at`
    const wanted = { kind: 'same value', as: 'control', value, whose } as const
    // A rejected update that asked for it may have been accepted.
    const refused = history
      .endedOf(task)
      .findLast((op) => fateOf(op) === 'refused' && isSince(op) && isSameId(toIn(op.body), to))
    const shownAgain = first.kind === 'update' ? again.persisted : undefined
    const judged = refused ? [answer, refused.answer] : answer
    return problemOwnedBy(owner, memberFinding(answer, { member, got, wanted }), {
      judged,
      control: first.answer,
      again: refused ? again.unchanged : shownAgain,
    })
  }
  if (!now || !then) return now === then ? [] : [of('assign.persisted', 'assignment', now, then)]
  const apart = fields.filter((field) => isApart(field, now[field], then[field]))
  if (apart.length > 0)
    return apart.map((field) =>
      of('assign.persisted', `assignment.${field}`, now[field], then[field]),
    )
  const [sent, came] = [updateIn(first)?.assignment_comment, now.assignment_comment]
  const owner = typeof sent === 'string' ? ownerOfComment(sent, came) : undefined
  const isLost = commentIn(now) !== commentIn(then) && then.assignment_comment === sent
  return isLost && owner ? [of(owner, commentPath, came, sent)] : []
}

function problemsOfUpdate(history: History, seen: Seen, actorId: string | undefined): Owned[] {
  const { answer, shown: now, known } = seen
  const before = known.used?.isReused ? undefined : known.used?.assignment
  const asked = updateIn(seen)
  const assignment: Partial<Assignment> = now.assignment ?? {}
  const of = (owner: string, member: string, got: unknown, sent: unknown): Owned =>
    problemOwnedBy(
      owner,
      memberFinding(answer, { member, got, wanted: wantedAsSent(member, sent) }),
      {
        judged: answer,
      },
    )
  if (!asked) {
    const kind = before?.assigned_to_type === 'TEAM' ? 'team' : 'user'
    return before && now.assignment !== null
      ? [of(`assign.unassign-${kind}`, 'assignment', now.assignment, null)]
      : problemsOfReuse(seen)
  }
  // An update to the same assignee may change nothing, so the version may stay.
  const isCarriedOut =
    before !== undefined &&
    (!isReuse(seen) || !isSameId(before?.assigned_to_id, asked.assigned_to_id))
  const wrong = fields.filter(
    (field) =>
      !isSameId(assignment[field], asked[field]) &&
      (field !== 'assigned_by_id' || (isCarriedOut && isSameId(asked[field], actorId))),
  )
  const sent = asked.assignment_comment
  const isJudged = wrong.length === 0 && isCarriedOut
  const lost = isJudged ? ownersOfComment(sent, assignment, before) : []
  // Putting back sends the comment with which the task was found.
  const isFound = () => Boolean(sent) && sent === foundWith(history, seen.task)?.assignment_comment
  const comments = lost.length > 0 && !isFound() ? lost : []
  return [
    ...problemsOfReuse(seen, isReuse(seen) && !isFound() && asked),
    ...wrong.map((field) =>
      of('assign.fields-as-given', `assignment.${field}`, assignment[field], asked[field]),
    ),
    ...comments.map(([owner, expected]) =>
      of(owner, commentPath, assignment.assignment_comment, expected),
    ),
  ]
}

/** Ids may be in another letter case. */
function wantedAsSent(member: string, value: unknown): Wanted {
  if (value === undefined) return { kind: 'no value' }
  const isId = typeof value === 'string' && member !== commentPath
  return { kind: 'value', value, isSent: true, ...(isId ? { anyCase: true } : {}) }
}

/** `asked`: an update whose comment, if the suite expects it back, has to show. */
function problemsOfReuse(seen: Seen, asked: JsonObject | false = false): Owned[] {
  const {
    answer,
    known: { used },
  } = seen
  const { version, assignment: now } = seen.shown
  if (!isReuse(seen) || !used || used.isReused) return []
  const { assignment: before, first } = used
  const of = (owner: string, to: string) => {
    const wanted = { kind: 'new value' } as const
    const finding = memberFinding(answer, { member: 'updated_at', got: version, wanted, to })
    return problemOwnedBy(owner, finding, { judged: answer, control: first.answer })
  }
  const isSame = isSameId(before?.assigned_to_id, now?.assigned_to_id)
  if (!isSame || commentIn(before) !== commentIn(now)) {
    const [what, member] = isSame
      ? (['the comment', 'assignment_comment'] as const)
      : (['the assignee', 'assigned_to_id'] as const)
    const [from, to] = [before, now].map((each) => each?.[member] ?? null)
    const owner = isSame ? 'assign.new-version.same-assignee' : 'assign.new-version'
    return [of(owner, `with ${what} changed from ${shown(from)} to ${shown(to)}`)]
  }
  const sent =
    asked &&
    before &&
    isSameId(asked.assigned_to_id, before.assigned_to_id) &&
    asked.assignment_comment
  const isLost = typeof sent === 'string' && sent !== '' && commentIn(now) !== sent
  return isLost && ownerOfComment(sent) !== undefined
    ? [of('assign.new-version', 'without the comment that was sent')]
    : []
}

function problemsOfOtherFields(seen: Seen): Owned[] {
  const isRead = seen.kind === 'read'
  return changedBy(seen, seen.known).map(({ field, was, is, control }) => {
    const finding = memberFinding(seen.answer, {
      member: field,
      got: is,
      wanted: { kind: 'same value', as: 'before', value: was },
      to: isRead ? 'after an update' : 'to an update',
    })
    // The script of a read sends the update before it.
    const kept = isRead ? { again: again.keptInRead(field) } : {}
    const grounds = { judged: seen.answer, control, ...kept }
    return problemOwnedBy('assign.only-the-assignment', finding, grounds)
  })
}
