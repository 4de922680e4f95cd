import { describe, expect, test } from 'vitest'
import type { Query } from '../../../../helpers/export/ask/query.ts'
import {
  isUnderstood,
  needPairs,
  needSeparateValues,
  problemsOfSeveral,
  problemsOfUnlikeSeveral,
  understoodEncodings,
} from '../../../../helpers/export/judge/several-values.ts'
import { type Given, smallTrail, wantedBy } from '../small-trail.ts'

const isOfTwo = (query: Query, field: 'event_type' | 'sub_type') =>
  (query.filters?.[field]?.length ?? 0) > 1
/** Of several values the first alone. */
const ofFirst = (query: Query, field: 'event_type' | 'sub_type'): Given => ({
  rows: wantedBy({ ...query, filters: { [field]: query.filters?.[field]?.slice(0, 1) ?? [] } }),
})

describe('two values of a parameter', () => {
  test('are such as have no event in common', async () => {
    const { filters } = smallTrail()
    const values = (await needSeparateValues(filters, 'event_type')).map(({ value }) => value)
    expect(values).toEqual(['type a', 'type b', 'type c'])
    const alike = smallTrail((query) =>
      query.filters?.sub_type
        ? { rows: wantedBy({ filters: { sub_type: ['created'] } }) }
        : undefined,
    )
    await expect(needSeparateValues(alike.filters, 'sub_type')).rejects.toThrow(
      'two values of sub_type without a common event are needed',
    )
  })

  test('give the events of both', async () => {
    const { filters, window } = smallTrail()
    const values = await needSeparateValues(filters, 'sub_type')
    expect(await problemsOfSeveral(values, filters, window)).toEqual([])
    expect(await understoodEncodings('sub_type', filters, window)).toHaveLength(4)
  })

  test('are condemned where they give those of one', async () => {
    const { filters, window } = smallTrail((query) =>
      isOfTwo(query, 'sub_type') ? ofFirst(query, 'sub_type') : undefined,
    )
    const values = await needSeparateValues(filters, 'sub_type')
    const [found] = await problemsOfSeveral(values, filters, window)
    expect(found).toMatchObject({ expected: '48 events', got: '24 events' })
    expect(await understoodEncodings('sub_type', filters, window)).toEqual([])
  })

  test('are condemned where those of another parameter are understood', async () => {
    const { filters, window } = smallTrail((query) =>
      isOfTwo(query, 'sub_type') ? ofFirst(query, 'sub_type') : undefined,
    )
    const pairs = await needPairs(filters, window)
    const alike = pairs.filter(isUnderstood).map(({ field }) => field)
    expect(alike).toContain('event_type')
    expect(alike).not.toContain('sub_type')
    const problems = pairs.flatMap((pair) => problemsOfUnlikeSeveral(pair, pairs))
    expect(problems.map(({ sentence }) => sentence)).toEqual([
      expect.stringMatching(/^two values of sub_type give 24 events, and each alone 24 and 24, /),
    ])
  })

  test('say nothing where those of no parameter are understood', async () => {
    const { filters, window } = smallTrail((query) => {
      const field = (['sub_type', 'event_type'] as const).find((each) => isOfTwo(query, each))
      const isOfUsers = (query.filters?.auditee_id?.length ?? 0) > 1
      return field ? ofFirst(query, field) : isOfUsers ? { rows: [] } : undefined
    })
    await expect(needPairs(filters, window)).rejects.toThrow(/^no two array parameters/)
  })
})
