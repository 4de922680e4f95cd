import { acceptedBody, isObject } from '../../engine/http/answers.ts'
import type { History, Op } from '../history/history.ts'
import { isOfInvalid } from '../history/questions.ts'
import type { Came } from './readings.ts'

/** If every task was unassigned, what the run itself assigned counts: one read of each task and type of assignee. */
export async function withAssigned(
  came: readonly Came[],
  history: History,
  over: () => Promise<void>,
): Promise<Came[]> {
  if (came.some(({ body }) => body.assignment != null)) return [...came]
  await over()
  const assigned = new Map<string, Came>()
  for (const read of history.ended.flatMap(assignedIn)) {
    const { id, body, type } = read
    const key = `${id} ${type}`
    if (!assigned.has(key) && !isOfInvalid(history, id, body)) assigned.set(key, read)
  }
  return [...came, ...assigned.values()]
}

function assignedIn({ kind, task: id, answer }: Op): (Came & { type: string })[] {
  const body = kind === 'read' && answer ? acceptedBody(answer) : undefined
  if (!isObject(body?.assignment)) return []
  return [{ id, body, type: String(body.assignment.assigned_to_type) }]
}
