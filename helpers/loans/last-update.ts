import { isObject, membersOf } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import type { Task } from '../service/answers.ts'
import { isSameButAssigner, putBackTo } from '../service/assignments.ts'
import type { Debt } from './journal.ts'

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
