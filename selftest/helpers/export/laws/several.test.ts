import { describe, expect, test } from 'vitest'
import type { Query } from '../../../../helpers/export/ask/query.ts'
import { judgeCount } from '../../../../helpers/export/laws/oracle.ts'
import {
  findTwos,
  isUnderstood,
  needSeparateValues,
  problemsOfOneOfTwo,
  problemsOfUnlike,
  understoodEncodings,
} from '../../../../helpers/export/laws/several.ts'
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
    expect(await judgeCount({ values: [values] }, { filters, window })).toEqual([])
    expect(await understoodEncodings('sub_type', filters, window)).toHaveLength(4)
  })

  test('are condemned where they give those of one', async () => {
    const { filters, window } = smallTrail((query) =>
      isOfTwo(query, 'sub_type') ? ofFirst(query, 'sub_type') : undefined,
    )
    const values = await needSeparateValues(filters, 'sub_type')
    const [found] = await judgeCount({ values: [values] }, { filters, window })
    expect(found).toMatchObject({ expected: '48 events', got: '24 events' })
    expect(await understoodEncodings('sub_type', filters, window)).toEqual([])
  })

  test('are condemned where those of another parameter are understood', async () => {
    const { filters, window } = smallTrail((query) =>
      isOfTwo(query, 'sub_type') ? ofFirst(query, 'sub_type') : undefined,
    )
    const all = await findTwos(filters, window)
    const alike = all.filter(isUnderstood).map(({ field }) => field)
    expect(alike).toContain('event_type')
    expect(alike).not.toContain('sub_type')
    const problems = all.flatMap((two) => problemsOfUnlike(two, all))
    expect(problems.map(({ sentence }) => sentence)).toEqual([
      expect.stringMatching(/^two values of sub_type give 24 events, and each alone 24 and 24, /),
    ])
  })

  test('are condemned by those of one alone where those of no parameter are understood', async () => {
    const { filters, window } = smallTrail((query) => {
      const field = (['sub_type', 'event_type'] as const).find((each) => isOfTwo(query, each))
      const isOfUsers = (query.filters?.auditee_id?.length ?? 0) > 1
      return field ? ofFirst(query, field) : isOfUsers ? { rows: [] } : undefined
    })
    const all = await findTwos(filters, window)
    expect(all.filter(isUnderstood)).toEqual([])
    expect(all.flatMap((two) => problemsOfUnlike(two, all))).toEqual([])
    const alone = all.filter((two) => problemsOfOneOfTwo(two, all, filters).length > 0)
    expect(alone.map(({ field }) => field)).toEqual(['event_type', 'sub_type'])
  })
})
