import { expect, test } from 'vitest'
import type { Query } from '../../../../helpers/export/ask/query.ts'
import { problemsOfOneBound } from '../../../../helpers/export/judge/ranges/range-relations.ts'
import { type Given, smallTrail, wantedBy } from '../small-trail.ts'

const middle = '2026-03-02T00:00:00.000Z'

async function problemsWhere(bend: (query: Query) => Given) {
  const { exports, window } = smallTrail(bend)
  return problemsOfOneBound(exports, window, middle)
}

const lacksStart = ({ start, end }: Query) => start === undefined && end === middle

test('a bound alone that bounds on its side only is as it is to be', async () => {
  expect(await problemsWhere(() => undefined)).toEqual([])
})

test('a bound alone that is refused is told beside both that are accepted', async () => {
  const problems = await problemsWhere((query) => (lacksStart(query) ? 400 : undefined))
  expect(problems.map(({ expected, got }) => [expected, got])).toEqual([
    ['200', '400'],
    ['200', '400'],
  ])
})

test('a bound alone that holds fewer events, whichever is asked for first, is told', async () => {
  const [found] = await problemsWhere((query) =>
    lacksStart(query) ? { rows: wantedBy(query).slice(1) } : undefined,
  )
  expect(found?.sentence).toMatch(/ with 23 events, and with both bounds 24$/)
  expect(found).toMatchObject({ expected: '24 events', got: '23 events' })
})

test('ranges that are refused with both bounds too tell nothing', async () => {
  await expect(problemsWhere(() => 400)).rejects.toThrow(
    'no range with two bounds far apart is accepted',
  )
})
