import { workerData } from 'node:worker_threads'
import { inject, type ProvidedContext } from 'vitest'

const inThread = (workerData as { provide?: Partial<ProvidedContext> } | null)?.provide

/** A value handed to the clauses by name: by our own thread, or by vitest in its workers. */
export const provided = <Name extends keyof ProvidedContext>(name: Name): ProvidedContext[Name] =>
  inThread ? (inThread[name] as ProvidedContext[Name]) : inject(name)
