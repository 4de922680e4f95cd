import { describe, expect, test } from 'vitest'
import { instantAt } from '../../../../engine/files/dates.ts'
import {
  describeDateOnlyBounds,
  describeNullBounds,
  describeOffsetBounds,
} from '../../../../helpers/export/laws/range-forms.ts'
import { problemsOfPairs, wholeSeconds } from '../../../../helpers/export/laws/range-pairs.ts'
import type { Ranges } from '../../../../helpers/export/learn/ranges.ts'
import { events, type Given, smallTrail, wantedBy } from '../small-trail.ts'

const withoutFraction = /:\d\dZ$/

async function problemsOfWholeSeconds(ranges: Ranges) {
  const { pairs, span } = await wholeSeconds(ranges)
  return { problems: await problemsOfPairs(ranges.exports, await ranges.window(), pairs), span }
}

test('bounds without a fraction that are refused are told beside those that are accepted', async () => {
  const { ranges, asked } = smallTrail(({ start = '' }) =>
    withoutFraction.test(start) ? 400 : undefined,
  )
  const { problems, span } = await problemsOfWholeSeconds(ranges)
  expect(span.start).toMatch(withoutFraction)
  const [found] = problems
  expect(found?.sentence).toMatch(/ answered 400, and with \.000 in place of no fraction 200$/)
  expect(found).toMatchObject({ expected: '200', got: '400' })
  const [start, end] = [span.start.replace('Z', '.000Z'), span.end.replace('Z', '.000Z')]
  for (const exchange of found?.control ?? [])
    expect(asked[exchange - 1]).toMatchObject({ start, end })
  expect(found?.control).not.toEqual([])
})

test('a range within one second is told where it is refused for how its bounds are written', async () => {
  const { ranges } = smallTrail(({ start = '', end = '' }) => (start > end ? 400 : undefined))
  const { problems } = await problemsOfWholeSeconds(ranges)
  expect(problems.map(({ got }) => got)).toEqual(['400'])
  const [first = ''] = problems.map(({ sentence }) => sentence)
  expect(first).toMatch(/range_end=[^ ]*\.500Z answered 400/)
})

test('bounds without a fraction that let other events in are told by their number', async () => {
  const { ranges } = smallTrail((query) =>
    withoutFraction.test(query.start ?? '') ? { rows: wantedBy(query).slice(1) } : undefined,
  )
  const { problems } = await problemsOfWholeSeconds(ranges)
  expect(problems.map(({ expected, got }) => [expected, got])).toEqual([
    ['46 events', '45 events'],
    ['1 event', '0 events'],
  ])
})

test('bounds of full seconds that are refused in either form tell nothing', async () => {
  const { ranges } = smallTrail(({ start = '' }) =>
    /:\d\d(\.000)?Z$/.test(start) ? 400 : undefined,
  )
  await expect(problemsOfWholeSeconds(ranges)).rejects.toThrow(
    'no range that another one could be compared with is accepted',
  )
})

test('403 to such bounds is no breach', async () => {
  const { ranges } = smallTrail(({ start = '' }) => (withoutFraction.test(start) ? 403 : undefined))
  await expect(problemsOfWholeSeconds(ranges)).rejects.toThrow()
})

test('a range within one second that is refused in either form tells nothing', async () => {
  const { ranges } = smallTrail(({ start = '', end = '' }) =>
    Date.parse(end) - Date.parse(start) < 1000 ? 400 : undefined,
  )
  expect((await problemsOfWholeSeconds(ranges)).problems).toEqual([])
})

test('where events have no more than two times, the bounds are those of the window', async () => {
  const { ranges } = smallTrail()
  const spanWith = async (count: number) => {
    const times = events.slice(5, 5 + count).map((row) => instantAt(row[1] ?? ''))
    const shown = async () => ({ columns: [{ times }] }) as never
    return (await problemsOfWholeSeconds({ ...ranges, times: shown })).span
  }
  expect(await spanWith(2)).toEqual({ start: '2026-03-01T00:00:01Z', end: '2026-03-03T00:00:00Z' })
  expect(await spanWith(3)).toEqual({ start: '2026-03-01T06:07:13Z', end: '2026-03-01T06:07:14Z' })
})

describe('what bounds are taken for', () => {
  test('with +02:00', async () => {
    const takenWhere = (given: (start: string, end: string) => Given) => {
      const { ranges } = smallTrail(({ start = '', end = '' }) =>
        start.includes('+') ? given(start, end) : undefined,
      )
      return describeOffsetBounds(ranges)
    }
    const inUtc = (bound: string) => bound.replace('+02:00', 'Z')
    expect(await takenWhere(() => undefined)).toBe('the instants they are')
    expect(
      await takenWhere((start, end) => ({
        rows: wantedBy({ start: inUtc(start), end: inUtc(end) }),
      })),
    ).toBe('the same clock in UTC')
    expect(await takenWhere(() => ({ rows: events }))).toBe('something else')
    expect(await takenWhere(() => 422)).toBe(422)
  })

  test('without a time of day', async () => {
    const takenWhere = (given: Given) => {
      const { ranges } = smallTrail(({ start }) => (start?.length === 10 ? given : undefined))
      return describeDateOnlyBounds(ranges)
    }
    expect(await takenWhere({ rows: [] })).toBe('its first instant')
    expect(await takenWhere({ rows: events.slice(0, 24) })).toBe('the whole day')
    expect(await takenWhere({ rows: events.slice(0, 23) })).toBe('something else')
    expect(await takenWhere(400)).toBe(400)
  })

  test('is not told where what they may be taken for has the same events', async () => {
    const { ranges } = smallTrail(() => ({ rows: events }))
    await expect(describeOffsetBounds(ranges)).rejects.toThrow(
      'the instants they are and the same clock in UTC give the same events here',
    )
  })

  test('as null and empty', async () => {
    const some = { rows: events.slice(0, 3) }
    const takenWhere = (asEnd: Record<string, Given>) => {
      const { ranges } = smallTrail(({ start, end }) => {
        if (end !== undefined && end in asEnd) return asEnd[end]
        return start === 'null' || start === '' ? { rows: [] } : some
      })
      return describeNullBounds(ranges)
    }
    expect(await takenWhere({ null: some, '': { rows: [] } })).toEqual({
      null: 'none',
      empty: 'something else',
    })
    expect(await takenWhere({ null: 400, '': { rows: events } })).toEqual({
      null: 400,
      empty: 'something else',
    })
  })
})
