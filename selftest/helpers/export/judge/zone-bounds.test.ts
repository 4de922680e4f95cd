import { expect, test } from 'vitest'
import type { Query } from '../../../../helpers/export/ask/query.ts'
import { judgeZoneBounds } from '../../../../helpers/export/judge/ranges/zone-bounds.ts'
import { smallTrail, titles, wantedBy } from '../small-trail.ts'

const around = { start: '2026-03-01T00:07:13.000Z', end: '2026-03-01T00:07:13.999Z' }

const wholeOf = (query: Query) => [titles, ...wantedBy(query)]

/** What a window around the first event tells, where files of a zone are others. */
async function boundsWhere(inZone: (query: Query) => string[][]) {
  const { exports, window } = smallTrail()
  const fetch = async (query: Query) => (query.timezone ? inZone(query) : wholeOf(query))
  return judgeZoneBounds({
    fetch,
    clock: exports,
    window,
    utc: {},
    places: [[around]],
    zones: ['Asia/Kathmandu'],
  })
}

test('a window that is as in UTC is kept', async () => {
  const { kept, problems } = await boundsWhere(wholeOf)
  expect([kept.length, problems]).toEqual([1, []])
})

test('one window that loses its event in a zone is not yet a breach', async () => {
  await expect(boundsWhere(() => [titles])).rejects.toThrow(
    /^no event from 2026-03-01T00:07:13\S+ to \S+ in Asia\/Kathmandu, and some in UTC; events at 3 times like this are needed$/,
  )
})

test('titles that differ where events would be tell nothing', async () => {
  const titleOf = (query: Query) => (wantedBy(query).length > 0 ? 'time' : 'no time')
  await expect(boundsWhere((query) => [titles.with(1, titleOf(query))])).rejects.toThrow(
    'which lines of a file are events cannot be seen in Asia/Kathmandu; its fields are not shown',
  )
})
