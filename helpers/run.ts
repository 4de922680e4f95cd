import type { LearnedWindow } from './history/settle-window.ts'
import type { LoanNews } from './loans/lending.ts'
import type { Ahead } from './service/clock.ts'
import type { KnownIds } from './service/known.ts'
import type { Settings } from './settings/table.ts'

export type Run = {
  id: string
  settings: Settings
  known: KnownIds
  ahead?: Ahead
  /** of earlier rounds */
  last?: number
  pdfLimit?: number
}

export type RunNews = LoanNews | { ahead: Ahead } | { learned: LearnedWindow }

declare module 'vitest' {
  interface ProvidedContext {
    run: Run
  }
}
