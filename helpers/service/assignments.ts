import type { Assignment } from './answers.ts'
import { isSameId } from './ids.ts'
import type { Assignee } from './update-request.ts'

type Shown = Assignment | null | undefined

/**
 * Whether two assignments say the same, whatever the letter case of their ids, and whether no
 * comment is null, empty or absent.
 */
export const isSameButSpelling = (one: Shown, other: Shown): boolean =>
  isSameButAssigner(one, other) && isSameId(one?.assigned_by_id, other?.assigned_by_id)

/** Like isSameButSpelling, whoever assigned. */
export function isSameButAssigner(one: Shown, other: Shown): boolean {
  if (!one || !other) return one === other
  return (
    isSameId(one.assigned_to_id, other.assigned_to_id) &&
    one.assigned_to_type === other.assigned_to_type &&
    (one.assignment_comment || null) === (other.assignment_comment || null)
  )
}

/** Whether an assignment names this assignee, whatever its comment and assigner; null: nobody. */
export const isAssignedTo = (assignment: Shown, to: Assignee | null): boolean =>
  to
    ? isSameId(assignment?.assigned_to_id, to.id) && assignment?.assigned_to_type === to.type
    : assignment === null

/** Says in words what a task was assigned to. */
export const describeAssignment = (before: Assignment | null) =>
  before ? `assigned to ${before.assigned_to_type} ${before.assigned_to_id}` : 'unassigned'
