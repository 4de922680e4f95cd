import { describe, expect, test } from 'vitest'
import { isLong } from '../long.ts'
import { skipWithout } from '../worker-folders.ts'
import { hasPython, meet, plain, profiles } from './meet.ts'

const few = [
  '--clauses',
  'auth.missing-key.*,task.read.*,assign.unassigned-to-user,export.csv.status',
]

const hasNoPython = skipWithout(hasPython(), 'the service in Python, for want of Python 3.11')

// `npm test` meets the plain one by a few clauses, `npm run long` each by all.
describe.skipIf(hasNoPython)('a service in another language', () => {
  test.each([plain, ...(isLong ? profiles() : [])])('%s', async (profile) => {
    const { exitCode, output } = await meet(profile, isLong ? [] : few)
    expect(exitCode, output).toBe(0)
  })
})
