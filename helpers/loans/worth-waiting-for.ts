import type { KnownTask } from '../service/known.ts'

type Kind = KnownTask['assigned']

const preferred = {
  any: ['none', 'USER', 'TEAM', 'unknown'],
  unassigned: ['none', 'USER', 'TEAM', 'unknown'],
  USER: ['USER', 'TEAM', 'none', 'unknown'],
  TEAM: ['TEAM', 'USER', 'none', 'unknown'],
} as const satisfies Record<string, readonly Kind[]>

/**
 * The kinds of tasks that are worth waiting for, the best first: as many as make up a third of the tasks,
 * or everybody would wait for the only one without an assignment.
 */
export function worthWaitingFor(
  wanted: keyof typeof preferred,
  tasks: readonly Pick<KnownTask, 'assigned'>[],
): Kind[] {
  const kinds: Kind[] = []
  const isEnough = () =>
    3 * tasks.filter(({ assigned }) => kinds.includes(assigned)).length >= tasks.length
  for (const kind of preferred[wanted]) if (!isEnough()) kinds.push(kind)
  return kinds
}
