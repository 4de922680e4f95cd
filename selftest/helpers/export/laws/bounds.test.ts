import { describe, expect, test } from 'vitest'
import { hour, instantAt, isoOf } from '../../../../engine/files/dates.ts'
import { needCsv } from '../../../../helpers/export/ask/exports.ts'
import type { Query } from '../../../../helpers/export/ask/query.ts'
import { problemsOfInclusive } from '../../../../helpers/export/laws/bounds.ts'
import { learnTimes } from '../../../../helpers/export/learn/time-column.ts'
import { eventRows } from '../../../../helpers/export/learn/window.ts'
import { smallTrail, wantedBy } from '../small-trail.ts'

const unit = 1_000_000n
const moved = (iso = '', by = 0n) => isoOf(instantAt(iso) + by)

/** What is wrong with a bound if a service shifts each bound, and shows events accordingly. */
async function problemsWhere(
  bound: 'start' | 'end',
  { start = 0n, end = 0n, show = (rows: string[][]) => rows } = {},
) {
  const bent = ({ start: from, end: to }: Query) =>
    show(wantedBy({ start: moved(from, start), end: moved(to, end) }))
  const { exports, window } = smallTrail((query) => ({ rows: bent(query) }))
  const honest = smallTrail((query) => ({ rows: show(wantedBy(query)) }))
  const times = await learnTimes(honest.exports, window)
  const fetch = async (query: Query) => eventRows(window, needCsv(await exports.csv(query)).records)
  const problems = problemsOfInclusive({ fetch, window, times, column: times.columns[0] }, bound)
  return (await problems).map(({ sentence }) => sentence)
}

const toSecond = (rows: string[][]) =>
  rows.map(([id = '', time = '', ...rest]) => [id, `${time.slice(0, 19)}.000Z`, ...rest])

describe('a bound', () => {
  test.each(['start', 'end'] as const)('that is inclusive is right: range_%s', async (bound) => {
    expect(await problemsWhere(bound)).toEqual([])
  })

  test('is right if the file truncates the times that ranges use', async () => {
    expect(await problemsWhere('end', { show: toSecond })).toEqual([])
  })

  test.each([
    ['start', { start: 1n }, /^with range_start = T the event at T is missing, for 8 times T: /],
    [
      'end',
      { end: -2n * unit },
      /^with range_end just after T .* and with range_start there too: /,
    ],
    ['start', { start: 3n * hour, end: 3n * hour }, /and it is there with 3 hours more: /],
    ['end', { start: -3n * hour, end: -3n * hour }, /and it is there with 3 hours more: /],
  ] as const)('is condemned: range_%s with %o', async (bound, moves, sentence) => {
    expect(await problemsWhere(bound, moves)).toEqual([expect.stringMatching(sentence)])
  })

  test('may use another time than the one shown', async () => {
    const late = { start: -2n * unit, end: -2n * unit }
    await expect(problemsWhere('end', late)).rejects.toThrow(/^the file may show another time/)
  })
})
