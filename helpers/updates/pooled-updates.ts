import { isAccepted } from '../../engine/http/answers.ts'
import type { Loan } from '../loans/lending.ts'
import { afterNextUpdate } from '../loans/next-update.ts'
import { isSameButSpelling } from '../service/assignments.ts'
import { updateBody } from '../service/update-request.ts'
import { createToken, needAnybody, needAssigned } from './controls.ts'
import {
  assigneeFor,
  type RefusedUpdate,
  type TryDeps,
  tokenIn,
  type UpdateOutcome,
} from './refused-update.ts'
import { counted, insisted } from './unanswered.ts'

/** Updates that are not to be carried out and need the same state: an assigned task. */
export type Pool = { name: string; updates: readonly RefusedUpdate[] }

/**
 * Sends them one after another on one loan, and watches the task once for the time to settle. Undefined
 * where anything was accepted or carried out, or the version was another's work: each is then tried alone.
 */
export async function tryTogether(
  updates: readonly RefusedUpdate[],
  { lending, service, settings, people, commented, taskWatch }: TryDeps,
): Promise<UpdateOutcome[] | undefined> {
  const { actorId = '' } = settings
  const anybody = needAnybody(people)
  const tryThem = async (loan: Loan): Promise<UpdateOutcome[] | undefined> => {
    const { current, used } = loan
    const task = await needAssigned(loan, actorId, anybody)
    const { id, assignment: before } = task
    const { updated_at } = task === loan.task ? task : await current.read(id)
    const outcomes: UpdateOutcome[] = []
    for (const update of updates) {
      const { what, how, version } = update
      const to = assigneeFor(update, people, before) ?? anybody
      const comment = commented ? createToken() : undefined
      const body = update.body(updateBody(actorId, to, comment).update, comment, before)
      const ifMatch = version ? version(updated_at) : updated_at
      const sending = counted(() => service.put(update.id?.(id) ?? id, ifMatch, body, how))
      const at = performance.now()
      const answer = await insisted(sending.send, `${what}, beside accepted ones,`)
      if (isAccepted(answer)) {
        current.noteAccepted(ifMatch ?? updated_at, answer)
        return undefined
      }
      const token = sending.isOnce(answer) ? tokenIn(body, comment) : undefined
      const refused = { task: id, answer, token, at }
      taskWatch.forbid(refused)
      const isOpen = token === undefined || !taskWatch.keepsComments
      outcomes.push({ answer, current: updated_at, before, after: before, update, refused, isOpen })
    }
    const limitMs = outcomes.some(({ isOpen }) => isOpen) ? undefined : 0
    const isShort = taskWatch.patience.windowMs() < settings.settleMs
    let isKept = true
    let isMoved = false
    const last = await current.watch(
      id,
      (seen) => {
        const isReplaced = used.has(seen.updated_at) && seen.updated_at !== updated_at
        isKept &&= isReplaced || isSameButSpelling(seen.assignment, before)
        isMoved ||= !isReplaced && seen.updated_at !== updated_at
      },
      { limitMs },
    )
    // A version that somebody else replaced is refused, whatever else is wrong with the update.
    if (isMoved && outcomes.some(({ answer, update }) => answer.status === 409 && !update.version))
      return undefined
    // Nothing shows what has been put off until the next change.
    if (!isKept) return undefined
    const { late } = await afterNextUpdate(loan, last, { actor: actorId, people })
    if (late) return undefined
    return outcomes.map((one) => ({ ...one, isOpen: one.isOpen && isShort }))
  }
  return lending.lend('USER', service, tryThem, 'when windows are known')
}
