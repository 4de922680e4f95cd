import type { Share } from '../engine/clause/shard.ts'
import type { Known } from './service/known.ts'
import type { Settings } from './settings/settings.ts'

/** Which clauses are to run. */
export type Selection = {
  /** globs of the ids of the clauses to run; empty: all */
  clauses: string[]
  /** globs of the ids of clauses that must not be skipped */
  required: string[]
  /** ids of the clauses to run; left out: all */
  only?: string[]
  shard?: Share
}

/** What the main process hands to the worker that runs the clauses. */
export type Run = Selection & {
  /** names the channel between the two */
  id: string
  settings: Settings
  known: Known
  /** the most events of a PDF; left out: what the contract says */
  pdfLimit?: number
}

declare module 'vitest' {
  interface ProvidedContext {
    run: Run
  }
}
