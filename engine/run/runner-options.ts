import { join } from 'node:path'
import type { InlineConfig } from 'vitest/node'
import type { Run } from '../../helpers/run.ts'

/** Where the clauses run; left out: in a thread of their own. */
export type Pool = InlineConfig['pool']

/** How vitest runs the clauses: one worker, one entry, everything at once. */
export const runnerOptions = (
  run: Run,
  pool: Pool = 'threads',
): InlineConfig & { config: false } => ({
  config: false,
  root: join(import.meta.dirname, '../..'),
  // The only folder that is searched for it.
  dir: join(import.meta.dirname, '../../suites'),
  include: ['all.ts'],
  pool,
  isolate: false,
  maxWorkers: 1,
  watch: false,
  // The client holds the pace; a clause that waits for a task takes nobody's place.
  sequence: { concurrent: true },
  maxConcurrency: 10_000,
  testTimeout: 0,
  hookTimeout: 0,
  provide: { run },
  passWithNoTests: true,
  // Half of a start is transforming the same files again.
  experimental: { fsModuleCache: true },
})
