import type { Service } from '../service/service.ts'
import { type Assignee, updateBody } from '../service/update-request.ts'
import type { Settings } from '../settings/table.ts'
import type { Lending, Loan } from './lending.ts'

type Following = { lending: Lending; service: Service; settings: Settings; stop: AbortSignal }

/**
 * Sends an accepted update to each of these tasks, with its current assignment if it has one, so that it
 * needs no putting back. If an update is not possible, a breach may be missed, but none is invented.
 */
export async function followAll(
  tasks: readonly string[],
  { lending, service, settings, stop }: Following,
): Promise<void> {
  const { actorId, userIds, teamIds } = settings
  const [anybody] = [
    ...userIds.map((id): Assignee => ({ id, type: 'USER' })),
    ...teamIds.map((id): Assignee => ({ id, type: 'TEAM' })),
  ]
  const followOn = async ({ task, current }: Loan) => {
    const { assigned_to_id, assigned_to_type, assignment_comment } = task.assignment ?? {}
    const to =
      assigned_to_id && assigned_to_type ? { id: assigned_to_id, type: assigned_to_type } : anybody
    if (!actorId || !to) return
    // Returning the task reads it until the accepted update shows.
    await current.put(task, updateBody(actorId, to, assignment_comment))
  }
  const follow = (id: string) => lending.lend({ id }, service, followOn)
  await Promise.allSettled(tasks.map(follow))
  stop.throwIfAborted()
}
