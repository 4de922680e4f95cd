import { defineConfig } from 'vitest/config'
import { readEnvironment } from './engine/settings/environment.ts'

// Each start of vitest bundles what this file imports: not the program.
const { BASE_URL } = readEnvironment(process.cwd(), process.env)

/**
 * What vitest watches, for all projects at once: vitest.config.ts copies it. A service of others is met
 * again on Enter alone, the embedded one when a file is saved that its clauses are made of.
 */
export const watching = BASE_URL
  ? { server: { watch: null }, forceRerunTriggers: [] }
  : { server: {}, forceRerunTriggers: ['**/{engine,helpers,suites,reference}/**/*.ts'] }

// The project `contract`. vitest.config.ts includes it only on request: npm test sends nothing
// to the service that a .env names.
export default defineConfig({
  test: {
    name: 'contract',
    include: ['contract.vitest.ts'],
    globalSetup: 'program/vitest-setup.ts',
    testTimeout: 0,
    hookTimeout: 0,
    // An interrupted run puts tasks back first.
    teardownTimeout: 120_000,
    // The client holds the pace: all clauses are under way at once.
    sequence: { concurrent: true },
    maxConcurrency: 10_000,
  },
})
