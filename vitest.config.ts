import { defineConfig } from 'vitest/config'

// The tests of this project itself. The suites run under program/runner-options.ts, not this.
export default defineConfig({
  test: {
    include: ['selftest/**/*.test.ts'],
    testTimeout: 240_000,
    hookTimeout: 240_000,
    maxWorkers: 2,
    maxConcurrency: 3,
  },
})
