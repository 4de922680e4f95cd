import { aroundEach } from 'vitest'
import { running } from './test-end.ts'

// Vitest runs this before each file of tests, whose modules may be those of the file before it.
aroundEach((runTest, test) => running.run(test, runTest))
