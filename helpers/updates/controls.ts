import { isAccepted } from '../../engine/http/answers.ts'
import { NotDecidable } from '../../engine/outcome.ts'
import type { Lending } from '../loans/lending.ts'
import { premise } from '../service/answers.ts'
import type { Shared } from '../service/service.ts'
import { type Assignee, unassignBody, updateBody } from '../service/update-request.ts'
import type { Settings } from '../settings/table.ts'

/** The user whom updates assign to where any assignee will do. */
export const assigneeIn = ({ userIds }: Settings): Assignee | undefined =>
  userIds[0] === undefined ? undefined : { id: userIds[0], type: 'USER' }

/** Who assigns, and to whom; ends the clause where the settings do not say. */
export function needChangers(settings: Settings): { actorId: string; to: Assignee } {
  const { actorId } = settings
  const to = assigneeIn(settings)
  if (!actorId)
    throw new NotDecidable('setting', 'set ACTOR_ID: the user who makes the assignments')
  if (!to) throw new NotDecidable('setting', 'set USER_IDS: users to assign to')
  return { actorId, to }
}

/**
 * A comment that nobody else writes. How long one may be is not shown: it is no longer than those of
 * the journeys are.
 */
export const commentAt = (version: string): string =>
  `Contract test, please ignore ${version.replaceAll(/\D/g, '').slice(-12)}`

/**
 * The control of every refused update: the same with nothing wrong, and so with a comment. Assigning
 * and unassigning in one go leaves a task that was unassigned as it was.
 */
export function acceptedUpdates({ shared, lending, settings }: ControlDeps) {
  const { actorId, to } = needChangers(settings)
  return shared('accepted updates', (service) =>
    lending.lend('unassigned', service, async ({ task, current }) => {
      const comment = commentAt(task.updated_at)
      const update = await current.put(task, updateBody(actorId, to, comment))
      if (!isAccepted(update)) return { update, unassign: update }
      const unassign = await current.put(premise(update), unassignBody(actorId))
      return { update, unassign }
    }),
  )
}

type ControlDeps = { shared: Shared; lending: Lending; settings: Settings }
