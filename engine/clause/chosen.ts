import type { Selectable } from './selection.ts'

/** The only state kept in a module: suites declare their clauses by being loaded. */
const chosen = new Map<string, readonly string[]>()

/** All clauses, selected or not. */
export const declared: Selectable[] = []

/** Their ids. A run hands the array on before all clauses are declared: keep its identity. */
export const declaredIds: string[] = []

export const withoutBody = new Set<string>()

export const choose = (id: string, givens: readonly string[]): void => void chosen.set(id, givens)

export const chosenIds = (): string[] => [...chosen.keys()]

/** The ids of the selected clauses that name none of these givens. */
export const chosenWithout = (...named: string[]): string[] =>
  [...chosen].flatMap(([id, givens]) => (named.some((name) => givens.includes(name)) ? [] : [id]))

/** Whether a selected clause names this given. What no clause names is not set up. */
export const isNamed = (given: string): boolean =>
  [...chosen.values()].some((givens) => givens.includes(given))

/** Forgets all clauses, for a process that runs them more than once. */
export function forgetClauses(): void {
  chosen.clear()
  declared.length = 0
  declaredIds.length = 0
}
