import { configDefaults, defineConfig } from 'vitest/config'
import { leftOut } from './selftest/long.ts'

// The tests of this project itself. The suites run under program/runner-options.ts, not this.
export default defineConfig({
  test: {
    include: ['selftest/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...leftOut],
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // One more than cores: much of it waits.
    maxWorkers: 3,
    maxConcurrency: 3,
    // A proof is found by its whole name.
    chaiConfig: { truncateThreshold: 0 },
  },
})
