import { expect, test } from 'vitest'
import type { Request } from '../../../../helpers/export/laws/oracle.ts'
import { smallestProblems } from '../../../../helpers/export/laws/requests.ts'
import { runAgainst } from '../../../proofs/prove.ts'

const value = (field: string, value: string) => ({ field, value, events: new Map() }) as never

test('the smallest request that shows a breach is its evidence', async () => {
  const request: Request = {
    values: [[value('tag', 'vip')], [value('sub_type', 'created'), value('sub_type', 'updated')]],
    ...{ timezone: 'Asia/Tokyo', locale: 'de', bounds: { start: '2026-03-01', end: '2026-03-02' } },
  }
  const judge = async ({ timezone, values, ...more }: Request) =>
    timezone ? [{ values, ...more } as never] : []
  expect(await smallestProblems(request, judge)).toEqual([
    { values: [[value('sub_type', 'created')]] },
  ])
})

test('every format, zone, language and range of combined requests meets each of the others', async () => {
  const argv = ['--clauses', 'export.filter.combined.*']
  const { report } = await runAgainst({ events: 300 }, argv, { makers: {} })
  const queries = (report?.exchanges ?? [])
    .map(({ path }) => new URL(path, 'http://localhost').searchParams)
    .filter(
      (query) => [...query.keys()].filter((key) => /_(id|type|source)|\[/.test(key)).length > 2,
    )
  const ends = queries.map((query) => query.get('range_end'))
  const whole = ends.toSorted(
    (a, b) => ends.filter((end) => end === b).length - ends.filter((end) => end === a).length,
  )[0]
  const traits = queries.map((query) => [
    query.get('file_type') === 'pdf',
    query.has('timezone'),
    query.has('locale'),
    query.get('range_end') === whole,
  ])
  for (const a of [0, 1, 2])
    for (const b of [1, 2, 3].slice(a))
      expect(new Set(traits.map((each) => `${each[a]} ${each[b]}`)).size, `${a} with ${b}`).toBe(4)
})
