import type { Learned } from './history/settle-window.ts'
import type { Told } from './loans/create-lending.ts'
import type { Ahead } from './service/clock.ts'
import type { ExportFacts } from './service/export-facts.ts'
import type { Known } from './service/known.ts'
import type { Settings } from './settings/table.ts'

/** What the main process hands to the worker that runs the clauses. */
export type Run = {
  /** names the channel between the two */
  id: string
  settings: Settings
  known: Known
  /** what the first contact saw of the service's clock */
  ahead?: Ahead
  /** the number of the last exchange, where clauses of this run have ended before; left out: none */
  last?: number
  /** the most events of a PDF; left out: what the contract says */
  pdfLimit?: number
}

/** What the worker says while the clauses run: of the tasks it lends, the service's clock, its lag. */
export type Noted =
  | Told
  | { ahead: Ahead }
  | { learned: Learned; exportFacts: ExportFacts; spent: number }

declare module 'vitest' {
  interface ProvidedContext {
    run: Run
  }
}
