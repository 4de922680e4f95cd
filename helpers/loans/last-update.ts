import { isAccepted, isObject, membersOf } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { type Task, taskIn } from '../service/answers.ts'
import { isSameButAssigner, putBackTo } from '../service/assignments.ts'
import { isSameId } from '../service/ids.ts'
import { type Assignee, unassignBody, updateBody } from '../service/update-request.ts'
import type { Debt } from './journal.ts'
import type { Loan } from './lending.ts'

/** Notes an accepted update: its If-Match and all versions known before it are replaced. */
export function noteUpdate(
  debt: Pick<Debt, 'last' | 'replaced'>,
  taken: string | undefined,
  known: Iterable<string>,
  answer: Answer,
): void {
  const { updated_at: version, assignment } = membersOf(answer) as Partial<Task>
  const replaced = new Set(debt.replaced)
  // The answers to simultaneous updates may arrive in another order.
  if (version === undefined || !replaced.has(version))
    debt.last = {
      ...(typeof version === 'string' ? { version } : {}),
      ...(assignment === null || isObject(assignment) ? { assignment } : {}),
    }
  // A coarse updated_at may stay the same after an update.
  if (version === taken) return
  for (const each of [...known, taken ?? ''])
    if (each !== version && each !== '') replaced.add(each)
  debt.replaced = [...replaced]
}

/** Whether the last accepted update of this run left the task as found. */
export const leftAsFound = ({ last, before }: Pick<Debt, 'last' | 'before'>): boolean =>
  last?.assignment !== undefined && isSameButAssigner(putBackTo(last.assignment), before)

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
