import type { Known } from './known.ts'
import type { Settings } from './settings/settings.ts'

/** What the main process hands to the worker that runs the clauses. */
export type Run = {
  /** names the channel between the two */
  id: string
  settings: Settings
  known: Known
  /** globs of the ids of the clauses to run; empty: all */
  clauses: string[]
  /** globs of the ids of clauses that must not be skipped */
  required: string[]
}

declare module 'vitest' {
  interface ProvidedContext {
    run: Run
  }
}
