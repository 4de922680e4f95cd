import { workerData } from 'node:worker_threads'
import { inject, type ProvidedContext } from 'vitest'

const inThread = (workerData as { provide?: Partial<ProvidedContext> } | null)?.provide

/** given by our own thread, or by vitest to its workers */
export const provided = <Name extends keyof ProvidedContext>(name: Name): ProvidedContext[Name] =>
  inThread ? (inThread[name] as ProvidedContext[Name]) : inject(name)

/** The only state kept in a module: which clauses this run selected, with the givens that they name. */
const chosen = new Map<string, readonly string[]>()

export const choose = (id: string, givens: readonly string[]): void => void chosen.set(id, givens)

export const chosenIds = (): string[] => [...chosen.keys()]

export const chosenWithout = (...named: string[]): string[] =>
  [...chosen].flatMap(([id, givens]) => (named.some((name) => givens.includes(name)) ? [] : [id]))

/** What no selected clause names is not set up. */
export const isNamed = (given: string): boolean =>
  [...chosen.values()].some((givens) => givens.includes(given))

export const forgetChosen = (): void => chosen.clear()
