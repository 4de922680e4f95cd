import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../engine/http/exchange.ts'
import { pictureOf } from '../../reporting/html/breaches.ts'
import { raceOf } from '../../reporting/parts/race.ts'
import { breach, exchange } from './sample-reports.ts'

const path = '/tasks/1/update-assignment'

/** An update from the first to the second millisecond. */
const update = (
  at: number,
  [from, to]: [number, number],
  given: { ifMatch?: string; status?: number; made?: string; path?: string },
): Exchange => {
  const { ifMatch = 'v1', made: updated_at, ...more } = given
  const requestHeaders = { 'if-match': ifMatch }
  const [start, body] = [timeOf(from), JSON.stringify({ updated_at })]
  return exchange(at, {
    ...{ method: 'PUT', path, start, milliseconds: to - from, requestHeaders, body },
    ...more,
  })
}
const timeOf = (ms: number) => new Date(Date.UTC(2026, 0, 1) + ms).toISOString()
const read = (at: number, from: number, updated_at: string) =>
  exchange(at, { path: '/tasks/1', start: timeOf(from), body: JSON.stringify({ updated_at }) })
const judging = (...numbers: number[]) => ({ ...breach('x', ...numbers), expected: '409' })

const lost = [
  update(0, [0, 40], { made: 'v2' }),
  update(1, [5, 30], { made: 'v3' }),
  update(2, [6, 20], { status: 409 }),
  read(3, 100, 'v2'),
]

describe('a race', () => {
  test('says which of the accepted updates with one version lasted, and which are lost', () => {
    const others = [
      update(4, [0, 9], { path: '/tasks/2/update-assignment', made: 'v5' }),
      update(5, [0, 9], { ifMatch: 'v0', made: 'v1' }),
    ]
    const race = raceOf(judging(1, 2), { exchanges: [...lost, ...others] })
    expect(race?.headline).toBe(
      '2 of 3 simultaneous updates with the same version were accepted. #4 shows the version of #1, not of #2.',
    )
    expect(race?.versions).toEqual(['v1', 'v2', 'v3'])
    expect(race?.read).toEqual({ number: 4, shows: 'v2' })
    expect(race?.writers.map(({ number, fate, made }) => [number, fate, made])).toEqual([
      [1, 'too', 'v2'],
      [2, 'first', 'v3'],
      [3, 'refused', undefined],
    ])
  })

  test('says nothing of what lasted if no read shows it', () => {
    const race = raceOf(judging(1, 2), { exchanges: lost.slice(0, 3) })
    expect(race?.headline).toMatch(/; 409 was expected for all but one update\.$/)
    const after = [...lost.slice(0, 3), update(3, [50, 60], { ifMatch: 'v3', made: 'v4' })]
    expect(raceOf(judging(1, 2), { exchanges: [...after, read(4, 100, 'v2')] })?.read).toBe(
      undefined,
    )
  })

  test('is not made of updates that followed one another, or are judged by a read', () => {
    const late = update(1, [39_000, 39_020], { made: 'v3' })
    const exchanges = [update(0, [0, 20], { made: 'v2' }), late, read(2, 40_000, 'v3')]
    for (const judged of [judging(2), judging(1, 2), { ...judging(3), control: [1, 2] }])
      expect(raceOf(judged, { exchanges })).toBe(undefined)
    const beside = { ...late, number: 4 }
    expect(raceOf(judging(2, 4), { exchanges: [...exchanges, beside] })?.writers).toHaveLength(2)
    expect(raceOf(judging(1, 2, 4), { exchanges: [...exchanges, beside] })).toBe(undefined)
  })

  test('names an answer that was not 409; there is none if one update won or has no version', () => {
    const [won, , late] = lost as [Exchange, Exchange, Exchange]
    const other = { ...late, status: 412 }
    expect(raceOf(judging(3), { exchanges: [won, other] })?.headline).toMatch(
      /the response to #3 is 412, not 409/,
    )
    const accepted = { ...breach('x', 1), expected: '2xx' }
    expect(raceOf(accepted, { exchanges: [won, late] })).toBe(undefined)
    expect(raceOf(accepted, { exchanges: [{ ...won, requestHeaders: {} }, late] })).toBe(undefined)
  })
})

test('the picture of a race says in words what it shows, and keeps bars in its width', () => {
  const race = raceOf(judging(1, 2), {
    exchanges: [...lost, update(4, [7, 90_001], { made: '<v4>' })],
  })
  const { text } = pictureOf(race as NonNullable<typeof race>)
  expect(text).toMatch(/>✗ #1 If-Match V1 → 200, made V2: 409 was expected</)
  expect(text).toMatch(/>– #3 If-Match V1 → 409</)
  expect(text).toContain('&lt;v4&gt;')
  for (const [, x, width] of text.matchAll(/<rect x="(\d+)" y="\d+" width="(\d+)"/g))
    expect(Number(x) + Number(width)).toBeLessThan(440)
})
