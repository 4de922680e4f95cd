import { describe, expect, test } from 'vitest'
import type { Query } from '../../../../helpers/export/ask/query.ts'
import {
  acceptedLanguages,
  describeLocale,
  needZonesApart,
  problemsOfRefusedZones,
} from '../../../../helpers/export/laws/zones-and-locales.ts'
import { events, type Given, smallTrail, wantedBy } from '../small-trail.ts'

const trailWhere = (bend: (query: Query) => Given) => smallTrail(bend)
const in_ = (zone: string) => ({ rows: events.map((row) => row.with(1, `${row[1]} ${zone}`)) })

describe('zones', () => {
  const refusing =
    (...zones: string[]) =>
    ({ timezone = '' }: Query) =>
      zones.includes(timezone) ? 400 : undefined

  test('that are refused beside an accepted one are told', async () => {
    const { exports, span } = trailWhere(refusing('Asia/Kathmandu'))
    const problems = await problemsOfRefusedZones(exports, span)
    expect(problems.map(({ sentence }) => sentence)).toEqual([
      expect.stringMatching(/answered 400 to Asia\/Kathmandu, and UTC is accepted$/),
    ])
    expect(problems[0]).toMatchObject({ expected: '200', got: '400' })
  })

  test('that are all refused say nothing', async () => {
    const { exports, span } = trailWhere(({ timezone }) => (timezone ? 400 : undefined))
    await expect(problemsOfRefusedZones(exports, span)).rejects.toThrow('too few of the zones')
  })

  test('far apart are those that change the file, where there are any', async () => {
    const { exports, window, span } = trailWhere(({ timezone = '' }) =>
      timezone.startsWith('Asia/') ? in_(timezone) : undefined,
    )
    expect(await needZonesApart(exports, window, span)).toEqual([
      'Asia/Tokyo',
      'America/Los_Angeles',
    ])
  })

  test('far apart are the first that are accepted, where none changes the file', async () => {
    const { exports, window, span } = trailWhere(refusing('Pacific/Kiritimati'))
    expect(await needZonesApart(exports, window, span)).toEqual([
      'Asia/Tokyo',
      'America/Los_Angeles',
    ])
  })
})

describe('a language', () => {
  const germanIs = (given: Given) =>
    trailWhere(({ locale }) => (locale === 'de' ? given : undefined))

  test.each<[string | number, Given]>([
    ['as in English', undefined],
    ['another file', { rows: events.map((row) => row.with(4, 'erstellt')) }],
    [400, 400],
  ])('gives %s', async (expected, given) => {
    const { exports, span } = germanIs(given)
    expect(await describeLocale(exports, span, 'de')).toBe(expected)
  })

  test('gives no other file where each file is another', async () => {
    let made = 0
    const { exports, span } = trailWhere((query) => {
      made += 1
      return { rows: wantedBy(query).map((row) => row.with(4, `made at ${made}`)) }
    })
    expect(await describeLocale(exports, span, 'de')).toBe('as in English')
  })

  test('is one of the first that are accepted', async () => {
    const { exports, span } = trailWhere(({ locale }) => (locale === 'fr' ? 400 : undefined))
    expect(await acceptedLanguages(exports, span, 2)).toEqual(['de', 'es'])
  })
})
