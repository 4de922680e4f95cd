import { shown } from '../../engine/shown.ts'
import type { Assignment } from './answers.ts'
import { isSameId } from './ids.ts'
import type { Assignee } from './update-request.ts'

type MaybeAssignment = Assignment | null | undefined

/** Ignores the letter case of ids; null, empty and absent comments are equal. */
export const isSameButSpelling = (one: MaybeAssignment, other: MaybeAssignment): boolean =>
  isSameButAssigner(one, other) && isSameId(one?.assigned_by_id, other?.assigned_by_id)

export function isSameButAssigner(one: MaybeAssignment, other: MaybeAssignment): boolean {
  if (!one || !other) return one === other
  return (
    isSameId(one.assigned_to_id, other.assigned_to_id) &&
    one.assigned_to_type === other.assigned_to_type &&
    (one.assignment_comment || null) === (other.assignment_comment || null)
  )
}

/** Ignores comment and assigner; null: nobody. */
export const isAssignedTo = (assignment: MaybeAssignment, to: Assignee | null): boolean =>
  to
    ? isSameId(assignment?.assigned_to_id, to.id) && assignment?.assigned_to_type === to.type
    : assignment === null

/** An object without any value means unassigned. */
export function putBackTo<T extends MaybeAssignment>(assignment: T): T | null {
  const isEmpty = assignment && Object.values(assignment).every((value) => value === null)
  return isEmpty ? null : assignment
}

export const describeAssignment = (before: Assignment | null) =>
  before ? `assigned to ${describeAssignee(before)}` : 'unassigned'

export const describeAssignee = (assignment: MaybeAssignment): string =>
  typeof assignment?.assigned_to_id === 'string'
    ? `${assignment.assigned_to_type} ${assignment.assigned_to_id}`
    : shown(assignment)

export function describeWhole(assignment: MaybeAssignment): string {
  if (typeof assignment?.assigned_to_id !== 'string') return shown(assignment)
  const { assigned_by_id, assignment_comment: comment } = assignment
  const told = comment ? `, with the comment ${shown(comment)}` : ''
  return `${describeAssignee(assignment)}, assigned by ${assigned_by_id}${told}`
}
