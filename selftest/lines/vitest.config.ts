import { defineConfig } from 'vitest/config'
import { root } from '../kept.ts'
import { moduleCache } from '../proofs/threads/module-cache.ts'
import { changingLines } from './install.ts'
import { listFiles, placesOf } from './modules.ts'
import { readOrder } from './order.ts'
import { openMemory } from './runtime.ts'
import { InOrder, Telling } from './telling.ts'

const { seed, on = -1, files, proofs } = readOrder()
const memory = openMemory(on, seed, placesOf(listFiles()))

// One process with one mutant awake: an endless loop, or a state that is spoilt, ends with it.
export default defineConfig({
  root,
  plugins: [changingLines(seed)],
  test: {
    include: files,
    exclude: [],
    // A thread is given what its process shares; another process would not be.
    pool: 'threads',
    fileParallelism: false,
    sequence: { sequencer: InOrder },
    setupFiles: ['selftest/lines/setup.ts'],
    reporters: [new Telling(on, memory)],
    provide: { lineProofs: proofs },
    bail: on < 0 ? 0 : 1,
    retry: 1,
    testTimeout: 240_000,
    hookTimeout: 240_000,
    chaiConfig: { truncateThreshold: 0 },
    cache: false,
    experimental: moduleCache,
  },
})
