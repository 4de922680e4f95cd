import type { KnownTask } from '../service/known.ts'

type Kind = KnownTask['assigned']

const preferred = {
  any: ['none', 'USER', 'TEAM', 'unknown'],
  unassigned: ['none', 'USER', 'TEAM', 'unknown'],
  USER: ['USER', 'TEAM', 'none', 'unknown'],
  TEAM: ['TEAM', 'USER', 'none', 'unknown'],
} as const satisfies Record<string, readonly Kind[]>

/** Clauses that want any task go through long walks: with fewer to go on they would wait for one another. */
const leastOfAny = 4
const leastOfKind = 2

/**
 * The kinds of tasks that are worth waiting for, the best first: as many as make up a quarter of the tasks,
 * and a few, or everybody would wait for the only one without an assignment.
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
