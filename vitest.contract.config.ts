import { defineConfig } from 'vitest/config'
import { isOfOthers } from './program/vitest-setup.ts'

const isMetOnEnterAlone = isOfOthers()

// The project `contract`. vitest.config.ts takes it in only where it is asked for: npm test sends nothing
// to the service that a .env names.
export default defineConfig({
  // While vitest watches, a service of others is met again on Enter alone, not whenever a file is saved.
  server: { watch: isMetOnEnterAlone ? { ignored: ['**'] } : {} },
  test: {
    name: 'contract',
    include: ['contract.vitest.ts'],
    globalSetup: 'program/vitest-setup.ts',
    forceRerunTriggers: isMetOnEnterAlone ? [] : ['**/{engine,helpers,suites,reference}/**/*.ts'],
    testTimeout: 0,
    hookTimeout: 0,
    // An interrupted run puts tasks back first.
    teardownTimeout: 120_000,
    // The client holds the pace: all clauses are under way at once.
    sequence: { concurrent: true },
    maxConcurrency: 10_000,
  },
})
