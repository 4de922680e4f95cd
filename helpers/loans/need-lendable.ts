import { NotDecidable } from '../../engine/outcome.ts'
import type { KnownTask } from '../service/known.ts'
import type { Settings } from '../settings/table.ts'

export function needLendable(settings: Settings, tasks: readonly KnownTask[]): void {
  if (settings.readOnly) throw new NotDecidable('setting', 'READ_ONLY is set: no task is changed')
  if (settings.taskIds.length === 0)
    throw new NotDecidable('setting', 'set TASK_IDS: tasks that the run may change and puts back')
  if (!tasks.some(({ lendable }) => lendable)) {
    const inUse = tasks.find(({ heldBy }) => heldBy)
    if (inUse)
      throw new NotDecidable(
        'setting',
        `every task of TASK_IDS is in use by another run (${inUse.heldBy}): try again when it has ended`,
      )
    throw new NotDecidable(
      'refused',
      'none of the ids of TASK_IDS is found (404): correct TASK_IDS',
      null,
    )
  }
  const { notPermitted } = settings
  if (notPermitted.includes('assign.update'))
    throw new NotDecidable(
      'setting',
      'NOT_PERMITTED declares assign.update, so a changed task could not be put back',
    )
  const isAssigned = tasks.some(({ lendable, assigned }) => lendable && assigned !== 'none')
  if (notPermitted.includes('assign.unassign') && !isAssigned)
    throw new NotDecidable(
      'setting',
      'NOT_PERMITTED declares assign.unassign: set TASK_IDS to assigned tasks; others could not be put back',
    )
  needActor(settings)
}

export function needActor({ actorId }: Settings): string {
  if (!actorId)
    throw new NotDecidable('setting', 'set ACTOR_ID: the user who makes the assignments')
  return actorId
}
