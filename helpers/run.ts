import type { LearnedWindow } from './history/settle-window.ts'
import type { LoanNews } from './loans/lending.ts'
import type { Ahead } from './service/clock.ts'
import type { ExportFacts } from './service/export-facts.ts'
import type { KnownIds } from './service/known.ts'
import type { Settings } from './settings/table.ts'

/** What the main process passes to the worker that runs the clauses. */
export type Run = {
  /** names the channel between the two */
  id: string
  settings: Settings
  known: KnownIds
  /** what the first contact saw of the service's clock */
  ahead?: Ahead
  /** the number of the last exchange of earlier rounds; default: none */
  last?: number
  /** the event limit of a PDF; default: the contract's */
  pdfLimit?: number
}

/** News from the worker: returned tasks, the service's clock, its replica lag. */
export type RunNews =
  | LoanNews
  | { ahead: Ahead }
  | { learned: LearnedWindow; exportFacts: ExportFacts; spent: number }

declare module 'vitest' {
  interface ProvidedContext {
    run: Run
  }
}
