import { acceptedBody, isObject } from '../../engine/http/answers.ts'
import type { History, Op } from '../history/history.ts'
import { isOfInvalid } from '../history/questions.ts'
import type { Came } from './readings.ts'

/** If every task was unassigned, what the run itself assigned counts: one read of each task and type of assignee. */
export async function withAssigned(
  bodies: readonly Came[],
  history: History,
  over: () => Promise<void>,
): Promise<Came[]> {
  if (bodies.some(({ body }) => body.assignment != null)) return [...bodies]
  await over()
  const assigned = new Map<string, Came>()
  for (const { task, type, body, exchange } of history.ended.flatMap(assignedIn)) {
    const key = `${task} ${type}`
    if (!assigned.has(key) && !isOfInvalid(history, task, body))
      assigned.set(key, { id: task, body, exchange })
  }
  return [...bodies, ...assigned.values()]
}

/** The assigned task that a read shows; none: no read, or the task is unassigned. */
function assignedIn({ kind, task, answer }: Op) {
  const body = kind === 'read' && answer ? acceptedBody(answer) : undefined
  if (!answer || !isObject(body?.assignment)) return []
  const { exchange } = answer
  return [{ task, body, exchange, type: String(body.assignment.assigned_to_type) }]
}
