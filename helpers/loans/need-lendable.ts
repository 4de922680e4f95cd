import { NotDecidable } from '../../engine/outcome.ts'
import { premise } from '../service/answers.ts'
import type { KnownTask } from '../service/known.ts'
import type { Settings } from '../settings/table.ts'

/** Whether the run may change a task: without the right to unassign, an unassigned task could not be put back. */
export const isLendable = (
  { lendable, assigned }: KnownTask,
  { notPermitted }: Pick<Settings, 'notPermitted'>,
): boolean => lendable && (assigned !== 'none' || !notPermitted.includes('assign.unassign'))

export function needLendable(settings: Settings, tasks: readonly KnownTask[]): void {
  premise(!settings.readOnly, 'setting', 'READ_ONLY is set: no task is changed')
  if (settings.taskIds.length === 0)
    throw new NotDecidable('setting', 'set TASK_IDS: tasks that the run may change and puts back')
  if (!tasks.some(({ lendable }) => lendable)) {
    const inUse = tasks.find(({ heldBy }) => heldBy)
    const held = `every task of TASK_IDS is in use by another run (${inUse?.heldBy}): try again when it has ended`
    premise(!inUse, 'setting', held)
    const absent = 'none of the ids of TASK_IDS is found (404): correct TASK_IDS'
    throw new NotDecidable('refused', absent, null)
  }
  const noUpdate = 'NOT_PERMITTED declares assign.update, so a changed task could not be put back'
  premise(!settings.notPermitted.includes('assign.update'), 'setting', noUpdate)
  const unassigned =
    'NOT_PERMITTED declares assign.unassign: set TASK_IDS to assigned tasks; others could not be put back'
  premise(
    tasks.some((task) => isLendable(task, settings)),
    'setting',
    unassigned,
  )
  needActor(settings)
}

export function needActor({ actorId }: Settings): string {
  if (!actorId)
    throw new NotDecidable('setting', 'set ACTOR_ID: the user who makes the assignments')
  return actorId
}

type Kind = KnownTask['assigned']

const preferred = {
  any: ['none', 'USER', 'TEAM', 'unknown'],
  unassigned: ['none', 'USER', 'TEAM', 'unknown'],
  USER: ['USER', 'TEAM', 'none', 'unknown'],
  TEAM: ['TEAM', 'USER', 'none', 'unknown'],
} as const satisfies Record<string, readonly Kind[]>

/** Clauses that accept any task do long walks: with fewer tasks they would wait for each other. */
const leastOfAny = 4
const leastOfKind = 2

/**
 * The states of tasks worth waiting for, best first: enough to make up a quarter of the tasks and at least
 * a few. Otherwise every clause would wait for the one unassigned task.
 */
export function worthWaitingFor(
  wanted: keyof typeof preferred,
  tasks: readonly Pick<KnownTask, 'assigned'>[],
): Kind[] {
  const kinds: Kind[] = []
  const least = Math.max(tasks.length / 4, wanted === 'any' ? leastOfAny : leastOfKind)
  const isEnough = () => tasks.filter(({ assigned }) => kinds.includes(assigned)).length >= least
  for (const kind of preferred[wanted]) if (!isEnough()) kinds.push(kind)
  return kinds
}
