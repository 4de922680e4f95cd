import { workerData } from 'node:worker_threads'
import { inject, type ProvidedContext } from 'vitest'

const inThread = (workerData as { provide?: Partial<ProvidedContext> } | null)?.provide

/** What the clauses are given under a name: in a thread of their own with it, in vitest's workers by vitest. */
export const provided = <Name extends keyof ProvidedContext>(name: Name): ProvidedContext[Name] =>
  inThread ? (inThread[name] as ProvidedContext[Name]) : inject(name)
