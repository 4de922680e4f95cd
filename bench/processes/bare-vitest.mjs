// vitest's own floor: its one worker, with the options of a run, and tests that do nothing.
import { startVitest } from 'vitest/node'

const vitest = await startVitest('test', [], {
  config: false,
  root: `${import.meta.dirname}/../..`,
  include: ['bench/processes/empty-suite.ts'],
  pool: 'threads',
  isolate: false,
  maxWorkers: 1,
  watch: false,
  sequence: { concurrent: true },
  reporters: [{}],
  experimental: { fsModuleCache: true },
})
await vitest.close()
process.exit(0)
