import { expect, test } from 'vitest'
import { runAgainst } from '../../../proofs/prove.ts'

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
