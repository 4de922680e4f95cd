// Compares every accepted update with what was sent, and every read with the answer of the same
// version: no clause can forget to look.

import { acceptedBody, describeAnswer, isObject } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import type { Again } from '../../engine/problem.ts'
import { shown } from '../../engine/shown.ts'
import { again, commentPath } from './again.ts'
import type { Assignment } from './answers.ts'
import { ownerOfComment } from './comments.ts'
import { isSameId } from './ids.ts'
import { type Owned, problemOwnedBy } from './judge.ts'
import { isDescribed, isUnassign } from './update-request.ts'

/** The first sight of a task's version, with the comment that was sent if it was an answer. */
type Sighting = {
  assignment: Assignment | null
  told: string
  exchange: number
  isAnswer?: true
  sent?: unknown
  /** two updates got this version: a read may show either */
  isReused?: true
}

/** By task and version: a version changes with the task, so it has one assignment. */
export type Sightings = Map<string, Sighting>

export const keyOf = (id: string, version: string) => `${id.toLowerCase()} ${version}`

/** Whether the contract states the answer to an update; unassigning an unassigned task is open. */
export const isTold = (sightings: Sightings, { id, ifMatch, body }: SentUpdate): boolean =>
  isDescribed(body, ifMatch) ||
  (isUnassign(body) && Boolean(sightings.get(keyOf(id, ifMatch ?? ''))?.assignment))

export type SeenTask = { version: string; assignment: Assignment | null }

export function seenIn(answer: Answer): SeenTask | undefined {
  const { updated_at: version, assignment } = acceptedBody(answer) ?? {}
  if (typeof version !== 'string' || (assignment !== null && !isObject(assignment)))
    return undefined
  return { version, assignment: assignment as Assignment | null }
}

export function problemsOfRead(sightings: Sightings, id: string, answer: Answer): Owned[] {
  const seen = seenIn(answer)
  if (!seen) return []
  const first = sightings.get(keyOf(id, seen.version))
  if (first?.isReused) return []
  if (!first) {
    const { exchange } = answer
    sightings.set(keyOf(id, seen.version), { ...seen, told: describeAnswer(answer), exchange })
    return []
  }
  const of = (owner: string, field: string, now: unknown, then: unknown): Owned => {
    const [expected, got] = [shown(then), shown(now)]
    const sentence = `${describeAnswer(answer)} with ${field} ${got}, and ${first.told} with ${expected} and the same updated_at`
    const shownAgain = first.isAnswer ? again.persisted : undefined
    const facts = { expected, got, judged: answer, control: first.exchange, again: shownAgain }
    return problemOwnedBy(owner, sentence, facts)
  }
  const { assignment: now } = seen
  const { assignment: then } = first
  if (!now || !then)
    return now === then ? [] : [of('assign.persisted', 'the assignment', now, then)]
  const apart = fields.filter((field) => !isSameId(now[field], then[field]))
  const owner =
    typeof first.sent === 'string' ? ownerOfComment(first.sent, now.assignment_comment) : undefined
  const isLost = (now.assignment_comment || null) !== (then.assignment_comment || null)
  return [
    ...apart.map((field) => of('assign.persisted', field, now[field], then[field])),
    ...(apart.length === 0 && isLost && owner && then.assignment_comment === first.sent
      ? [of(owner, 'the comment', now.assignment_comment, then.assignment_comment)]
      : []),
  ]
}

const fields = ['assigned_by_id', 'assigned_to_id', 'assigned_to_type'] as const

type SentUpdate = {
  id: string
  ifMatch: string | undefined
  body: unknown
  actorId?: string | undefined
  /** the comment that the task was found with; no clause is blamed when it is put back */
  found?: string | null | undefined
}

export function problemsOfUpdate(sightings: Sightings, sent: SentUpdate, answer: Answer): Owned[] {
  const seen = seenIn(answer)
  if (!seen) return []
  const known = sightings.get(keyOf(sent.id, sent.ifMatch ?? ''))
  const before = known?.isReused ? undefined : known?.assignment
  const { update, unassign } = isObject(sent.body) ? sent.body : {}
  const asked = isObject(update) ? update : undefined
  const key = keyOf(sent.id, seen.version)
  const told = describeAnswer(answer)
  const isNew = seen.version !== sent.ifMatch
  const reused = isNew || !known ? [] : problemsOfReuse(known, seen, answer)
  // A read may have been quicker than the answer.
  const apart = isNew && sightings.has(key) ? problemsOfRead(sightings, sent.id, answer) : []
  const { exchange } = answer
  const sighting = { assignment: seen.assignment, told, exchange }
  if (!isNew) sightings.set(key, { ...sighting, isReused: true })
  else if (!sightings.has(key))
    sightings.set(key, { ...sighting, isAnswer: true, sent: asked?.assignment_comment })
  const of = (owner: string, what: string, got: unknown, expected: unknown): Owned => {
    const [came, wanted] = [shown(got), expected === undefined ? 'no comment' : shown(expected)]
    const sentence =
      expected === undefined
        ? `${what} is ${came}, and none was sent`
        : `${what} is ${came}, not ${wanted}`
    const seen = { expected: wanted, got: came, judged: answer, again: againOf(what, expected) }
    return problemOwnedBy(owner, `${describeAnswer(answer)}: ${sentence}`, seen)
  }
  if (!asked) {
    const isKept = isObject(unassign) && before && seen.assignment !== null
    const kind = before?.assigned_to_type === 'TEAM' ? 'team' : 'user'
    return isKept
      ? [...apart, of(`assign.unassign-${kind}`, 'assignment', seen.assignment, null)]
      : [...apart, ...reused]
  }
  const assignment: Partial<Assignment> = seen.assignment ?? {}
  // An update to the same assignee may change nothing, so the version may stay.
  const isCarriedOut =
    before !== undefined && (isNew || !isSameId(before?.assigned_to_id, asked.assigned_to_id))
  const judged = fields.filter(
    (field) => field !== 'assigned_by_id' || (isCarriedOut && isSameId(asked[field], sent.actorId)),
  )
  const wrong = judged.filter((field) => !isSameId(assignment[field], asked[field]))
  const comments =
    wrong.length === 0 && isCarriedOut && (!sent.found || asked.assignment_comment !== sent.found)
      ? ownersOfComment(asked.assignment_comment, assignment, before)
      : []
  return [
    ...apart,
    ...reused,
    ...wrong.map((field) => of('assign.fields-as-given', field, assignment[field], asked[field])),
    ...comments.map(([owner, expected]) =>
      of(owner, 'the comment', assignment.assignment_comment, expected),
    ),
  ]
}

function problemsOfReuse(
  { assignment: before, isReused, exchange }: Sighting,
  { version, assignment: now }: SeenTask,
  answer: Answer,
): Owned[] {
  if (isReused) return []
  const isSame = isSameId(before?.assigned_to_id, now?.assigned_to_id)
  const isCommented = (before?.assignment_comment || null) !== (now?.assignment_comment || null)
  if (isSame && !isCommented) return []
  const what = isSame ? 'the comment' : 'the assignee'
  const [from, to] = isSame
    ? [before?.assignment_comment, now?.assignment_comment]
    : [before?.assigned_to_id, now?.assigned_to_id]
  const owner = isSame ? 'assign.new-version.same-assignee' : 'assign.new-version'
  const sentence = `${describeAnswer(answer)} changed ${what} from ${shown(from ?? null)} to ${shown(to ?? null)}, and updated_at is still ${version}`
  const judged = { expected: 'a new updated_at', got: version, judged: answer }
  return [
    problemOwnedBy(owner, sentence, { ...judged, control: exchange, again: again.newVersion }),
  ]
}

/** How a script shows that a member of the answer is not as sent. */
function againOf(what: string, expected: unknown): Again {
  if (what === 'assignment') return again.assigned(null)
  if (what !== 'the comment') return again.id(`assignment.${what}`, expected)
  return expected === undefined ? again.noComment : again.value(commentPath, expected)
}

/** The owners and the expectation for a comment that does not show as sent, or shows although none was sent. */
function ownersOfComment(
  sent: unknown,
  { assignment_comment: now }: Partial<Assignment>,
  before: Assignment | null,
): [owner: string, expected: string | undefined][] {
  if (typeof sent === 'string' && sent !== '') {
    const owner = ownerOfComment(sent, now)
    return owner && now !== sent ? [[owner, sent]] : []
  }
  if (!now) return []
  if (sent === null) return [['assign.comment.null', undefined]]
  if (before?.assignment_comment === now) return [['assign.comment.not-inherited', undefined]]
  return sent === undefined ? [['assign.comment.omitted', undefined]] : []
}
