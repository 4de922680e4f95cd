import { type Assignment, isAccepted, isObject, jsonIn, told } from '../answers.ts'
import { type Service, unassignBody, updateBody } from '../service.ts'
import { type Consumed, steadyOn } from '../steady.ts'

/** Whether two assignments name the same assignee with the same comment; the assigner may differ. */
export function sameAssignment(a: Assignment | null, b: Assignment | null): boolean {
  if (a === null || b === null) return a === b
  return (
    a.assigned_to_id.toLowerCase() === b.assigned_to_id.toLowerCase() &&
    a.assigned_to_type === b.assigned_to_type &&
    (a.assignment_comment || null) === (b.assignment_comment || null)
  )
}

/**
 * Puts a task's assignment back as it was found. Gives undefined when it is as it was, else the
 * residue in one sentence.
 */
export async function restore(
  service: Service,
  task: { id: string; before: Assignment | null },
  { actor, consumed, settleMs }: { actor: string; consumed: Consumed; settleMs: number },
): Promise<string | undefined> {
  const steady = steadyOn(service, consumed, settleMs)
  try {
    const current = await steady.settled(task.id)
    if (sameAssignment(current.assignment, task.before)) return undefined
    const { before } = task
    const to = before && { id: before.assigned_to_id, type: before.assigned_to_type }
    const body = to ? updateBody(actor, to, before.assignment_comment) : unassignBody(actor)
    const answer = await steady.putCurrent(current, body)
    if (!isAccepted(answer)) return `${told(answer)} when the task was to be put back`
    const stored = jsonIn(answer)
    const now = isObject(stored) ? (stored.assignment as Assignment | null) : undefined
    if (now !== undefined && sameAssignment(now, before)) return undefined
    const found = await steady.settled(task.id)
    return sameAssignment(found.assignment, before)
      ? undefined
      : `${told(answer)}, but the assignment is not what it was`
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
