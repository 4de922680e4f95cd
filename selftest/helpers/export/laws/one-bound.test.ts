import { expect, test } from 'vitest'
import type { Query } from '../../../../helpers/export/ask/query.ts'
import {
  maxRead,
  pairsOfOneBound,
  problemsOfPairs,
} from '../../../../helpers/export/laws/range-pairs.ts'
import { recentHour } from '../../../../helpers/export/learn/spans.ts'
import { events, type Given, smallTrail, wantedBy } from '../small-trail.ts'

const middle = '2026-03-02T00:00:00.000Z'

async function problemsWhere(bend: (query: Query) => Given) {
  const { exports, window } = smallTrail(bend)
  return problemsOfPairs(exports, window, pairsOfOneBound(exports, middle))
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
    'no range that another one could be compared with is accepted',
  )
})

test('what was asked for by another clause before is asked for anew where it had fewer', async () => {
  const isOpen = ({ start, end }: Query) => start?.startsWith(hour) && end === undefined
  const isClosed = ({ start, end }: Query) => start?.startsWith(hour) && end !== undefined
  let come = 0
  const { exports, window, asked } = smallTrail((query) => {
    if (!query.start?.startsWith(hour)) return undefined
    come += 1
    return { rows: events.slice(0, come) }
  })
  const { end: start } = recentHour(exports)
  const hour = start.slice(0, 13)
  await exports.csv({ start }, { read: maxRead })
  expect(await problemsOfPairs(exports, window, pairsOfOneBound(exports, middle))).toEqual([])
  // Once shared, and four times by turns.
  expect([asked.filter(isOpen), asked.filter(isClosed)].map(({ length }) => length)).toEqual([5, 5])
})
