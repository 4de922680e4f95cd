import { basename, dirname } from 'node:path'
import type { ProvidedContext } from 'vitest'
import type { InlineConfig } from 'vitest/node'
import { moduleCache } from './module-cache.ts'

/** How the clauses run, where it is not as always: in a thread of their own, in the order of the suites. */
export type Runner = Pick<InlineConfig, 'pool' | 'runner'> & { seed?: number }

/** How vitest runs the clauses of an entry: one worker, everything at once. */
export const runnerOptions = (
  entry: string,
  provide: Partial<ProvidedContext>,
  { pool = 'threads', runner, seed }: Runner = {},
): InlineConfig & { config: false } => ({
  config: false,
  root: dirname(entry),
  include: [basename(entry)],
  exclude: [],
  pool,
  ...(runner === undefined ? {} : { runner }),
  isolate: false,
  maxWorkers: 1,
  watch: false,
  // The client holds the pace; a clause that waits for a task takes nobody's place.
  sequence: { concurrent: true, ...(seed === undefined ? {} : { seed }) },
  maxConcurrency: 10_000,
  testTimeout: 0,
  hookTimeout: 0,
  provide,
  passWithNoTests: true,
  cache: false,
  ...loading(entry),
})

/** What was built is plain JavaScript: Node loads it sooner than vite, and from folders it may not write to. */
const loading = (entry: string): Pick<InlineConfig, 'server' | 'experimental'> =>
  /\.m?js$/.test(entry)
    ? { server: { deps: { external: [/./] } } }
    : { experimental: moduleCache() }
