import { describe, expect, test } from 'vitest'
import type { Query } from '../../../../helpers/export/ask/query.ts'
import { judgeClocks, unrealTimes } from '../../../../helpers/export/judge/clock-told.ts'
import { events, smallTrail, wantedBy } from '../small-trail.ts'

describe('times that do not exist', () => {
  const isReal = (cell: string) => unrealTimes([cell]).length === 0

  test.each([
    ['2026-47-05 14:47:00', false],
    ['2026/14/14T10:00', false],
    ['2026.33.01 10:00', false],
    ['05.47.2026 14:47', false],
    ['2026-03-05 30:00', false],
    ['2026-03-05 29:59', true],
    ['2026-03-05 10:60', false],
    ['2026-03-05 24:00', true],
    ['2026-13-28 10:00', true],
    ['2026-28-13T10:00:00Z', true],
    ['2026-02-32 10:00', true],
    ['31/12/2026, 23:59', true],
    ['12/31/2026 23:59', true],
    ['0000-00-00 00:00', true],
  ])('%s: %s', (cell, expected) => expect(isReal(cell)).toBe(expected))

  test('are those of a column of times, and each once', () => {
    const real = Array<string>(9).fill('2026-03-05 10:00')
    const unreal = '2026-47-05 14:47'
    expect(unrealTimes([...real, unreal, unreal, ''])).toEqual([unreal])
    expect(unrealTimes([unreal, 'of no such form'])).toEqual([])
    expect(unrealTimes(['2026-47-05'])).toEqual([])
  })
})

describe('files', () => {
  const timeAt = 1
  const hourOf = (row: string[]) => Number(row[timeAt]?.slice(11, 13))
  /** No two events are twelve hours apart. */
  const isKept = (row: string[]) => hourOf(row) < 12 === (hourOf(row) % 2 === 1)
  const shown = (form: (time: string) => string) => (query: Query) => ({
    rows: wantedBy(query)
      .filter(isKept)
      .map((row) => row.with(timeAt, form(row[timeAt] ?? ''))),
  })
  const judged = async (bend: Parameters<typeof smallTrail>[0]) => {
    const { exports, span, asked } = smallTrail(bend)
    const fetch = async (query: Query) => (await exports.csv(query)).csv?.records.slice(1) ?? []
    const { problems, shown } = await judgeClocks(fetch, { span, utc: {} })
    return { sentences: problems.map(({ sentence }) => sentence), shown, requests: asked.length }
  }
  const byTwelve = (time: string, halves = ['', '']) => {
    const hours = Number(time.slice(11, 13))
    const half = halves[hours < 12 ? 0 : 1]
    return `${time.slice(0, 10)} ${hours % 12 || 12}${time.slice(13, 19)}${half}`
  }
  const minutely = (time: string) =>
    time.replace(
      /-\d\d-(\d\d)T\d\d:\d\d/,
      (_, date) => `-${Number(time.slice(11, 13)) + 30}-${date}T10:00`,
    )

  test('with hours after twelve need no further request', async () => {
    expect(await judged(undefined)).toEqual({
      sentences: [],
      shown: events[0]?.[timeAt],
      requests: 1,
    })
  })

  test('with am and pm need none either', async () => {
    const bend = shown((time) => byTwelve(time, [' am', ' p.m.']))
    expect(await judged(bend)).toMatchObject({ sentences: [], requests: 1 })
  })

  test('with times of no calendar are said to have them', async () => {
    const { sentences, shown: none } = await judged(shown(minutely))
    expect(sentences).toEqual([expect.stringMatching(/^no calendar has the times 2026-3[1-9]-/)])
    expect(none).toBeUndefined()
  })

  test('with mornings for afternoons are told, by an event of each', async () => {
    const { sentences } = await judged(shown((time) => byTwelve(time)))
    expect(sentences).toEqual([
      expect.stringMatching(/^an event of \d\d:07 in UTC is shown at .*, and one of \d\d:07 at /),
    ])
  })

  test('always with am are told too', async () => {
    const { sentences } = await judged(shown((time) => byTwelve(time, [' AM', ' AM'])))
    expect(sentences).toHaveLength(1)
  })

  test('of mornings alone are right where their events are', async () => {
    const ofMorning = (query: Query) => ({
      rows: wantedBy(query).filter((row) => hourOf(row) < 12),
    })
    expect(await judged(ofMorning)).toMatchObject({ sentences: [], shown: events[1]?.[timeAt] })
  })

  test('whose times are of no event, or too coarse to find one by, say nothing', async () => {
    const due = await judged(shown((time) => `${time.slice(0, 10)} 09:30:15`))
    expect(due).toMatchObject({ sentences: [], shown: undefined })
    const coarse = await judged(shown((time) => `${byTwelve(time).replace(/:.*/, '')}:00`))
    expect(coarse).toEqual({ sentences: [], shown: undefined, requests: 1 })
  })

  test('with days alone, or a count of seconds, have no clock', async () => {
    const days = await judged(shown((time) => time.slice(0, 10)))
    const seconds = await judged(shown((time) => String(Date.parse(time)).slice(0, 10)))
    expect([days, seconds]).toEqual([
      { sentences: [], shown: undefined, requests: 1 },
      { sentences: [], shown: undefined, requests: 1 },
    ])
  })
})
