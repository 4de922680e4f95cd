import { expect, test } from 'vitest'
import type { Query } from '../../../../helpers/export/ask/query.ts'
import { needFewEvents, problemsOfFewRows } from '../../../../helpers/export/laws/edges.ts'
import { type Given, smallTrail, wantedBy } from '../small-trail.ts'

/** What is wrong with a file of two events; `bend` gives another one for a short range. */
async function problemsWhere(bend: (query: Query, hours: number) => Given) {
  const hoursOf = ({ start = '', end = '' }: Query) =>
    (Date.parse(end) - Date.parse(start)) / 3_600_000
  const { exports, window, ranges } = smallTrail((query) => bend(query, hoursOf(query)))
  const times = await ranges.times()
  const [, two] = needFewEvents(times)
  if (!two) throw new Error('there are no two events')
  return problemsOfFewRows(exports, window, times, two)
}

test('a file of two events that holds both is as it is to be', async () => {
  expect(await problemsWhere(() => undefined)).toEqual([])
})

test('a file of two events that lacks one is told with how many there are', async () => {
  const [found, ...more] = await problemsWhere((query, hours) =>
    hours < 2 ? { rows: wantedBy(query).slice(1) } : undefined,
  )
  expect(more).toEqual([])
  expect(found?.sentence).toMatch(
    /^1 rows in the CSV from 2026-03-0.* to 2026-03-0.*, not the 2 that the whole has of that time$/,
  )
  expect(found).toMatchObject({ expected: '2 rows', got: '1 rows' })
})
