import type { Known } from './known.ts'
import type { Settings } from './settings/settings.ts'

/** What the main process hands to the worker that runs the clauses. */
export type Run = {
  /** names the channel between the two */
  id: string
  settings: Settings
  known: Known
  /** globs of clause ids; empty: all */
  clauses: string[]
}

declare module 'vitest' {
  interface ProvidedContext {
    run: Run
  }
}
