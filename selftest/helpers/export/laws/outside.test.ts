import { describe, expect, test } from 'vitest'
import { randomFor } from '../../../../engine/random.ts'
import { needCsv } from '../../../../helpers/export/ask/exports.ts'
import type { Query } from '../../../../helpers/export/ask/query.ts'
import {
  hourApart,
  problemsOfEmptyRanges,
  problemsOfParts,
  problemsOfRangeRows,
  splitAt,
} from '../../../../helpers/export/laws/ranges.ts'
import { lookAt } from '../small-look.ts'
import { events, smallTrail, wantedBy } from '../small-trail.ts'

describe('a range in which nothing happened', () => {
  test('that holds events is told beside filters that nothing passes', async () => {
    const { exports, asked } = smallTrail(({ start }) =>
      start?.startsWith('1971') ? { rows: events.slice(0, 20) } : undefined,
    )
    const [found, ...more] = await problemsOfEmptyRanges(exports, randomFor(1, 'outside'))
    expect(more).toEqual([])
    expect(found?.sentence).toBe('21 records or more in a file of one second of the year 1971')
    const queryOf = (exchange: number) => asked[exchange - 1]
    expect(found?.judged.map(queryOf)).toMatchObject([{ start: '1971-01-01T00:00:00.000Z' }])
    expect(found?.control.map(queryOf)).toMatchObject([
      { filters: { auditee_id: [expect.any(String)] } },
      { metadata: { tag: expect.stringMatching(/^none-/) } },
    ])
  })

  const alike = (records: number) => smallTrail(() => ({ rows: events.slice(1, records) })).exports

  test('may be as long as ten records in every file', async () => {
    expect(await problemsOfEmptyRanges(alike(10), randomFor(1, 'outside'))).toEqual([])
  })

  test('tells nothing where every file is longer', async () => {
    await expect(problemsOfEmptyRanges(alike(11), randomFor(1, 'outside'))).rejects.toThrow(
      /^every file has 11 records or more, also where no event is to be expected;/,
    )
  })
})

describe('the parts of a window', () => {
  const cut = '2026-03-02T01:00:00.000Z'
  const partsWhere = (rows: (query: Query) => string[][], end: string) => {
    const { exports, window } = smallTrail((query) => ({ rows: rows(query) }))
    const fetch = async (query: Query) => needCsv(await exports.csv(query)).records
    const whole = { ...window, end }
    return problemsOfParts(fetch, exports, whole, hourApart(whole, cut))
  }

  test('hold no more events than the whole', async () => {
    expect(await partsWhere(wantedBy, '2026-03-03T00:00:00.000Z')).toEqual([])
  })

  test('are told where they do', async () => {
    const problems = await partsWhere(({ end }) => wantedBy({ end }), '2026-03-02T02:00:00.000Z')
    expect(problems.map(({ sentence }) => sentence)).toEqual([
      `24 events up to 2026-03-02T00:00:00.000Z and 26 from ${cut}: of 26 in the whole`,
    ])
  })

  test('are not asked for where one of them is but an instant, which may be refused', async () => {
    expect(await partsWhere(({ end }) => wantedBy({ end }), cut)).toEqual([])
  })
})

describe('two parts that share a bound', () => {
  const at = events[20]?.[1] ?? ''
  const splitWhere = (bend: (query: Query) => { rows: string[][] } | undefined) => {
    const { exports, window } = smallTrail(bend)
    const fetch = async (query: Query) => needCsv(await exports.csv(query)).records
    return problemsOfParts(fetch, exports, window, [splitAt(window, at)])
  }

  test('hold the events of the whole, and those at the bound twice', async () => {
    expect(await splitWhere(() => undefined)).toEqual([])
  })

  test('are told where the event at the bound is in one of them alone', async () => {
    const [found] = await splitWhere((query) =>
      query.end === at && query.start !== at ? { rows: wantedBy(query).slice(1) } : undefined,
    )
    expect(found?.sentence).toBe(
      `20 events up to ${at} and 28 from ${at}: of 48 in the whole, and 1 at that time`,
    )
  })
})

describe('rows of a range', () => {
  test('that show its times are as they are to be', async () => {
    expect(await problemsOfRangeRows(await lookAt(wantedBy))).toEqual([])
  })

  test('that show times before it are told with how many they are', async () => {
    const look = await lookAt(({ end }) => wantedBy({ end }), wantedBy)
    const [found] = await problemsOfRangeRows(look)
    expect(found?.sentence).toMatch(
      /^5 of 9 rows are not of 2026-03-01T04:07:13\S+ to 2026-03-01T09:07:13\S+$/,
    )
    expect(found).toMatchObject({ got: '5 rows with other times' })
  })

  test('are told where a midnight is taken for the end of its day, also of a window within one day', async () => {
    const endOfDay = ({ start, end = '' }: Query) =>
      wantedBy({ start, end: end.replace('T00:00:00.000Z', 'T23:59:59.999Z') })
    const span = { start: '2026-03-01T01:00:00.000Z', end: '2026-03-01T23:00:00.000Z' }
    const problems = await problemsOfRangeRows(await lookAt(endOfDay, wantedBy, span))
    expect(problems.map(({ sentence }) => sentence)).toEqual([
      '24 of 24 rows are not of 2026-02-28T23:59:59.000Z to 2026-03-01T00:00:00.000Z',
    ])
  })
})
