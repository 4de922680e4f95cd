// Around every file of tests: where it goes is said with how it ended.
import { afterAll } from 'vitest'
import { memory, takeReached } from './runtime.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** the places that a file of tests, or a proof, went to */
    reached?: number[]
  }
}

if (memory) {
  const own = memory
  own.reached.fill(0)
  afterAll(({}, { meta }) => {
    meta.reached = takeReached(own)
  })
}
