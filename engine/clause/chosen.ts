import type { Selectable } from './selection.ts'

/**
 * What this run knows of its clauses: the one state that is kept in a module, because suites declare
 * their clauses by being loaded.
 */
const chosen = new Map<string, readonly string[]>()

/** All clauses, whether or not they are to run. */
export const declared: Selectable[] = []

/** Their ids, as a run hands them on: clauses may be declared after the selection. */
export const declaredIds: string[] = []

/** The ids of the clauses whose body has not come yet. */
export const withoutBody = new Set<string>()

/** Notes a clause that this run checks, with the givens that its body names. */
export const choose = (id: string, givens: readonly string[]): void => void chosen.set(id, givens)

/** The ids of the clauses that this run checks. */
export const chosenIds = (): string[] => [...chosen.keys()]

/** The ids of the clauses that this run checks and that name none of these givens. */
export const chosenWithout = (...named: string[]): string[] =>
  [...chosen].flatMap(([id, givens]) => (named.some((name) => givens.includes(name)) ? [] : [id]))

/** Whether a clause that this run checks names this given: what nobody asks for is not done. */
export const isNamed = (given: string): boolean =>
  [...chosen.values()].some((givens) => givens.includes(given))

/** Forgets all of them, where a process runs its clauses more than once. */
export function forgetClauses(): void {
  chosen.clear()
  declared.length = 0
  declaredIds.length = 0
}
