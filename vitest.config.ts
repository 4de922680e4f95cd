import { configDefaults, defineConfig } from 'vitest/config'
import { leftOut } from './selftest/long.ts'

/** Files of tests that put their own in place of a module, or start vitest in their own process. */
const alone = ['engine/files/pdf-reader-lost', 'program/windows'].map(
  (name) => `selftest/${name}.test.ts`,
)

/** Only if it is named: .env may name a service, which no test of this project may call. */
const isContract = process.argv.some(
  (each, at, all) =>
    each === '--project=contract' || (each === 'contract' && all[at - 1] === '--project'),
)

const { server, ...watched } = isContract
  ? (await import('./vitest.contract.config.ts')).watching
  : { server: {} }

// The tests of this project itself; with --project contract the clauses.
export default defineConfig({
  server,
  test: {
    ...watched,
    globalSetup: 'selftest/worker-folders.ts',
    setupFiles: ['selftest/each-test.ts'],
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // A busy machine takes longer than the second that is usual.
    expect: { poll: { timeout: 60_000 } },
    // One more than cores, as tests wait much. Vitest passes no such flags on to projects.
    maxWorkers: 3,
    maxConcurrency: 3,
    // A proof is found by its whole name.
    chaiConfig: { truncateThreshold: 0 },
    projects: [
      {
        extends: true,
        test: {
          // Test files share modules, because loading them takes longest.
          isolate: false,
          include: ['selftest/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...leftOut, ...alone],
        },
      },
      { extends: true, test: { include: alone } },
      ...(isContract ? ['./vitest.contract.config.ts'] : []),
    ],
  },
})
