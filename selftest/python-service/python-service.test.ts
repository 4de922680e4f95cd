import { describe, expect, test } from 'vitest'
import { isLong } from '../long.ts'
import { skipWithout } from '../worker-folders.ts'
import { hasPython, isRight, meet, meetings } from './meet.ts'

// `npm test` meets the plain one by a few clauses, `npm run long` each by all.
const isMetByAll = isLong
const few = 'auth.missing-key.*,task.read.*,assign.unassigned-to-user,export.csv.status'

// Neither a must nor a should: two are observed, and the form of a CSV is not shown.
const allowed = ['mail-twice', 'event-twice', 'csv-quotes-backslash']

const hasNoPython = skipWithout(hasPython(), 'the service in Python, for want of Python 3.11')

describe.skipIf(hasNoPython)('a service in another language', () => {
  const all = hasNoPython ? [] : meetings().filter(({ name }) => !allowed.includes(name))

  test('has a name for each of its ways', () => {
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
  })

  const met = isMetByAll ? all : all.filter(({ name }) => name === 'plain')
  test.each(met)('$kind: $name', async (meeting) => {
    const met = await meet(meeting, isMetByAll ? [] : ['--clauses', few])
    expect(isRight(meeting, met), met.output).toBe(true)
  })
})
