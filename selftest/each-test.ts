import fc from 'fast-check'
import { aroundEach } from 'vitest'
import { seededRandom } from '../engine/http/retry.ts'
import { testSeed } from './long.ts'
import { running } from './test-end.ts'

// Vitest runs this before each file of tests, whose modules may be those of the file before it.
fc.configureGlobal({ seed: testSeed })
Math.random = seededRandom(testSeed)
aroundEach((runTest, test) => {
  // Faults draw from it, and runs without SEED.
  Math.random = seededRandom(testSeed)
  return running.run(test, runTest)
})
