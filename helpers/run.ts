import type { Known } from './service/known.ts'
import type { Settings } from './settings/table.ts'

/** What the main process hands to the worker that runs the clauses. */
export type Run = {
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
