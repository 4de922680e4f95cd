import { isDeepStrictEqual } from 'node:util'
import type { Wanted } from '../../engine/findings/member.ts'
import { isObject } from '../../engine/http/answers.ts'
import { shown } from '../../engine/shown.ts'
import { fieldsOf } from '../contract/fields.ts'
import type { Assignment } from './answers.ts'
import { isSameId } from './ids.ts'
import { isSameComment, isSameType } from './task-members.ts'
import type { Assignee } from './update-request.ts'

type MaybeAssignment = Assignment | null | undefined

export const wantedAssignee = (to: Assignee | null): Wanted =>
  to
    ? { kind: 'members', values: { assigned_to_type: to.type, assigned_to_id: to.id } }
    : { kind: 'value', value: null }

/** Where two assignments differ: the path of a single member, or of the whole, with both values. */
export function differenceIn(
  one: MaybeAssignment,
  other: MaybeAssignment,
): { member: string; one: unknown; other: unknown } {
  const names = fieldsOf('assignment') as (keyof Assignment)[]
  const [name, ...more] = names.filter(
    (field) => !isSameId(one?.[field] ?? '', other?.[field] ?? ''),
  )
  if (!one || !other || !name || more.length > 0) return { member: 'assignment', one, other }
  return { member: `assignment.${name}`, one: one[name] ?? null, other: other[name] ?? null }
}

/** Ignores the letter case of ids; null, empty and absent comments are equal. */
export const isSameButSpelling = (one: MaybeAssignment, other: MaybeAssignment): boolean =>
  isSameButAssigner(one, other) && isSameIfShown(one?.assigned_by_id, other?.assigned_by_id)

/** Another clause judges an answer that lacks it. */
const isSameIfShown = (one: unknown, other: unknown): boolean =>
  typeof one !== 'string' || typeof other !== 'string' || isSameId(one, other)

export function isSameButAssigner(one: MaybeAssignment, other: MaybeAssignment): boolean {
  // What cannot be read has no members to compare.
  if (!isObject(one) || !isObject(other)) return isDeepStrictEqual(one, other)
  return (
    isSameId(one.assigned_to_id, other.assigned_to_id) &&
    isSameType(one.assigned_to_type, other.assigned_to_type) &&
    isSameComment(one, other)
  )
}

/** Ignores comment and assigner; null: nobody. */
export const isAssignedTo = (assignment: MaybeAssignment, to: Assignee | null): boolean =>
  to
    ? isSameId(assignment?.assigned_to_id, to.id) &&
      isSameType(assignment?.assigned_to_type, to.type)
    : assignment === null

/** One that is not a text is shown as JSON. */
export function commentShownIn(assignment: MaybeAssignment): string | null | undefined {
  const comment: unknown = assignment?.assignment_comment
  const isText = comment == null || typeof comment === 'string'
  return isText ? (comment as string | null | undefined) : JSON.stringify(comment)
}

export const describeAssignment = (before: Assignment | null) =>
  before ? `assigned to ${describeAssignee(before)}` : 'unassigned'

const describeAssignee = (assignment: MaybeAssignment): string =>
  typeof assignment?.assigned_to_id === 'string'
    ? `${assignment.assigned_to_type} ${assignment.assigned_to_id}`
    : shown(assignment)

export function describeWhole(assignment: MaybeAssignment): string {
  if (typeof assignment?.assigned_to_id !== 'string') return shown(assignment)
  const { assigned_by_id, assignment_comment: comment } = assignment
  const told = comment ? `, with the comment ${shown(comment)}` : ''
  return `${describeAssignee(assignment)}, assigned by ${assigned_by_id}${told}`
}
