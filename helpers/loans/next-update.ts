import { isAccepted } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { type Task, taskIn } from '../service/answers.ts'
import { isSameId } from '../service/ids.ts'
import { type Assignee, unassignBody, updateBody } from '../service/update-request.ts'
import type { Loan } from './lending.ts'

/** The answer to the next update, and the task if reads do not show its assignment. */
type Followed = { answer: Answer; late?: Task | undefined }

/** Sends a further update after a read: a late effect may wait for the next change. */
export async function afterNextUpdate(
  { current }: Loan,
  seen: Task,
  { actor, people }: { actor: string; people: readonly Assignee[] },
): Promise<Followed> {
  const before = await current.newest(seen)
  const to = people.find((one) => !isSameId(one.id, before.assignment?.assigned_to_id))
  const body = to ? updateBody(actor, to) : unassignBody(actor)
  const answer = await current.put(before, body)
  if (!isAccepted(answer)) return { answer }
  const made = taskIn(answer)
  let last = made
  const note = (seen: Task) => {
    if (!current.isReplaced(seen.updated_at)) last = seen
  }
  const until = ({ updated_at }: Task) => updated_at === made.updated_at
  await current.watch(before.id, note, { until })
  // The clauses on reads judge the type.
  return { answer, late: isSameId(last.assignment?.assigned_to_id, to?.id) ? undefined : last }
}
