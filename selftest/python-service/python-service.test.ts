import { execFileSync } from 'node:child_process'
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

const eventsWithAKeyMore = `
import json
from service import world
def events():
    return [vars(event) for event in world.seed_events(200, ["someone"], [], world.Streams(1))]
before = events()
world.METADATA_KEYS = ("added", *world.METADATA_KEYS)
print(json.dumps([before, events()], default=str))`

test.skipIf(hasNoPython)('a metadata key more moves no other value of its events', () => {
  const stdout = execFileSync('python3', ['-B', '-c', eventsWithAKeyMore], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  })
  const [before, after] = JSON.parse(stdout) as { metadata: Record<string, string> }[][]
  expect(after?.filter(({ metadata }) => 'added' in metadata).length).toBeGreaterThan(50)
  for (const { metadata } of after ?? []) delete metadata.added
  expect(after).toEqual(before)
})
