import { expect, test } from 'vitest'
import { isLong } from '../long.ts'
import { skipWithout } from '../worker-folders.ts'
import { hasPython, meet, plain, profiles } from './meet.ts'

const few = 'auth.missing-key.*,task.read.*,assign.unassigned-to-user,export.csv.status'

const hasNoPython = skipWithout(hasPython(), 'the service in Python, for want of Python 3.11')

// `npm test` meets the plain one by a few clauses, `npm run long` each by all.
const tried = [plain, ...(isLong ? profiles() : [])]
test.skipIf(hasNoPython).each(tried)('a service in another language: %s', async (profile) => {
  const { exitCode, output } = await meet(profile, isLong ? [] : ['--clauses', few])
  expect(exitCode, output).toBe(0)
})
