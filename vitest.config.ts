import { configDefaults, defineConfig } from 'vitest/config'
import { leftOut } from './selftest/long.ts'

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
    ...(isContract ? { projects: ['./vitest.contract.config.ts'] } : {}),
    include: ['selftest/**/*.test.ts'],
    exclude: [...configDefaults.exclude, ...leftOut],
    globalSetup: 'selftest/worker-folders.ts',
    setupFiles: ['selftest/each-test.ts'],
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // A busy machine takes longer than the second that is usual.
    expect: { poll: { timeout: 60_000 } },
    // Test files share modules, because loading them takes longest.
    isolate: false,
    // Keeps transformed modules from one start to the next.
    experimental: { fsModuleCache: true, fsModuleCachePath: 'node_modules/.cache/modules' },
    // One more than cores, as tests wait much.
    maxWorkers: 3,
    maxConcurrency: 3,
    // A proof is found by its whole name.
    chaiConfig: { truncateThreshold: 0 },
  },
})
