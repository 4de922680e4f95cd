import { expect, expectThat } from '../../engine/clause/matchers.ts'
import { NotDecidable, Trouble } from '../../engine/outcome.ts'
import { type Assignment, isAccepted, taskAnswered, told } from '../service/answers.ts'
import { shown } from '../service/schema.ts'
import type { Assignee } from '../service/service.ts'
import { acceptedOf, equalAssignments, type Step, sameId } from './step.ts'

/** The task as the accepted answer of a step shows it. */
export const answeredBy = (step: Step) => taskAnswered(acceptedOf(step))

/** Ends the clause where what reads show after a step is another writer's work. */
export function needOwn(step: Step): void {
  if (isForeign(step)) throw new Trouble('somebody else changed the task meanwhile')
}

/** Whether reads after a step show neither its version nor the one before, and another assignment. */
export function isForeign(step: Step): boolean {
  const { stored, before, versionWasRead } = step
  if (!stored || versionWasRead || stored.updated_at === before.updated_at) return false
  return !equalAssignments(stored.assignment, answeredBy(step).assignment)
}

/** Expects an assignment to name the assignee who was sent, or to be null after unassigning. */
export function expectAssigned(
  assignment: Assignment | null | undefined,
  to: Assignee | null,
  where: string,
): void {
  const expected = to ? `one to ${to.type} ${to.id}` : 'null'
  expectThat(
    isTo(assignment, to),
    `${where}: the assignment is ${assigneeTold(assignment)}, not ${expected}`,
  )
}

const assigneeTold = (assignment: Assignment | null | undefined) =>
  assignment
    ? `one to ${assignment.assigned_to_type} ${assignment.assigned_to_id}`
    : shown(assignment)

const isTo = (assignment: Assignment | null | undefined, to: Assignee | null): boolean =>
  to
    ? sameId(assignment?.assigned_to_id, to.id) && assignment?.assigned_to_type === to.type
    : assignment === null

/**
 * The comment that the answer to a step shows; undefined, null and '' are no comment. That of
 * another assignment than the one sent says nothing about comments.
 */
export function commentOf(step: Step): string | null | undefined {
  const { assignment } = answeredBy(step)
  if (!isTo(assignment, step.sent.to))
    throw new NotDecidable('the answer shows another assignment than was sent: see assign.*-to-*')
  return assignment?.assignment_comment
}

/**
 * Goes on only where an update was accepted with the comment that it is about. A service may limit
 * comments; then the same update without it shows that nothing else was wrong.
 */
export function needCommentTaken({ answer, control }: Step): void {
  if (isAccepted(answer)) return
  const taken = control && isAccepted(control.answer)
  const why = taken ? 'the comment is refused' : 'so is the update without the comment'
  throw new NotDecidable(`${told(answer)}: ${why}`)
}

/** Expects an update to be accepted in its form where the same one with another comment is. */
export function expectFormTaken({ answer, control }: Step, form: string): void {
  if (!isAccepted(answer) && !(control && isAccepted(control.answer)))
    throw new NotDecidable(`${told(answer)}, with another comment too`)
  expect(answer, form).toBeAccepted()
}
