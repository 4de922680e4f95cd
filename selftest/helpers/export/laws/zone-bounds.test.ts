import { expect, test } from 'vitest'
import type { Query } from '../../../../helpers/export/ask/query.ts'
import { judgeZoneBounds } from '../../../../helpers/export/laws/zone-bounds.ts'
import { events, smallTrail, titles, wantedBy } from '../small-trail.ts'

/** Around the event of an hour of the day. */
const aroundHour = (hour: number) => {
  const minute = `2026-03-01T${String(hour).padStart(2, '0')}:07`
  return { start: `${minute}:13.000Z`, end: `${minute}:13.999Z` }
}

const wholeOf = (query: Query) => [titles, ...wantedBy(query)]

/** What windows around events tell, where files of a zone are others: around the first, if no more. */
async function boundsWhere(inZone: (query: Query) => string[][], hours = [0]) {
  const { exports, window } = smallTrail()
  const fetch = async (query: Query) => (query.timezone ? inZone(query) : wholeOf(query))
  return judgeZoneBounds({
    fetch,
    clock: exports,
    window,
    utc: {},
    places: [hours.map(aroundHour)],
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

test('windows that lose their events in a zone are told beside others that keep them', async () => {
  const lost = [1, 3, 4].map((hour) => events[hour])
  const inZone = (query: Query) => [titles, ...wantedBy(query).filter((row) => !lost.includes(row))]
  const { kept, problems } = await boundsWhere(inZone, [0, 1, 2, 3, 4])
  expect(kept.length).toBe(2)
  expect(problems.map(({ sentence }) => sentence)).toEqual(
    ['01', '03', '04'].map((hour) =>
      expect.stringMatching(
        `^no event from 2026-03-01T${hour}:07:13\\S+ to \\S+ in Asia/Kathmandu, and some in UTC$`,
      ),
    ),
  )
})
