import type { LearnedWindow } from './history/settle-window.ts'
import type { LoanNews } from './loans/create-lending.ts'
import type { Ahead } from './service/clock.ts'
import type { ExportFacts } from './service/export-facts.ts'
import type { KnownIds } from './service/known.ts'
import type { Settings } from './settings/table.ts'

/** What the main process hands to the worker that runs the clauses. */
export type Run = {
  /** names the channel between the two */
  id: string
  settings: Settings
  known: KnownIds
  /** what the first contact saw of the service's clock */
  ahead?: Ahead
  /** the number of the last exchange, where clauses of this run have ended before; left out: none */
  last?: number
  /** the most events of a PDF; left out: what the contract says */
  pdfLimit?: number
}

/** What the worker says while the clauses run: of the tasks it lends, the service's clock, its lag. */
export type RunNews =
  | LoanNews
  | { ahead: Ahead }
  | { learned: LearnedWindow; exportFacts: ExportFacts; spent: number }

declare module 'vitest' {
  interface ProvidedContext {
    run: Run
  }
}
