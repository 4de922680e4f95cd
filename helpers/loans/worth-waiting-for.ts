import type { KnownTask } from '../service/known.ts'

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
