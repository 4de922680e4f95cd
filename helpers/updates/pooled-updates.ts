import { isAccepted } from '../../engine/http/answers.ts'
import { NotDecidable } from '../../engine/outcome.ts'
import { premise } from '../service/answers.ts'
import { isSameButSpelling } from '../service/assignments.ts'
import { isSameId } from '../service/ids.ts'
import { updateBody } from '../service/update-request.ts'
import { commentAt } from './controls.ts'
import type { RefusedUpdate, TryDeps, UpdateOutcome } from './refused-update.ts'
import { insisted } from './unanswered.ts'

/** Updates that are not to be carried out and need the same state: an assigned task. */
export type Pool = { name: string; updates: readonly RefusedUpdate[] }

/**
 * Sends them one after another on one loan, and watches the task once for the time to settle. Undefined
 * where anything was accepted or carried out: by whom shows when each is tried alone.
 */
export async function tryTogether(
  updates: readonly RefusedUpdate[],
  { lending, service, settings, people, commented }: TryDeps,
): Promise<UpdateOutcome[] | undefined> {
  const { actorId = '' } = settings
  const [anybody] = people
  if (!anybody) throw new NotDecidable('setting', 'set USER_IDS: users whom the service accepts')
  return lending.lend('USER', service, async ({ task: found, current }) => {
    const notNow = (held: string | undefined) => people.find(({ id }) => !isSameId(id, held))
    const task = found.assignment
      ? found
      : premise(await current.put(found, updateBody(actorId, anybody)))
    const { id, assignment: before } = task
    const to = notNow(before?.assigned_to_id) ?? anybody
    const comment = commented ? commentAt(task.updated_at) : undefined
    const valid = updateBody(actorId, to, comment).update
    const { updated_at } = await current.read(id)
    const outcomes: UpdateOutcome[] = []
    for (const { what, body, how, version } of updates) {
      const send = () =>
        service.put(
          id,
          version ? version(updated_at) : updated_at,
          body(valid, comment, before),
          how,
        )
      const answer = await insisted(send, `${what}, beside accepted ones,`)
      if (isAccepted(answer)) return undefined
      outcomes.push({ answer, current: updated_at, before, after: before })
    }
    let isKept = true
    await current.watch(id, ({ assignment }) => {
      isKept &&= isSameButSpelling(assignment, before)
    })
    return isKept ? outcomes : undefined
  })
}
