import { expect, test } from 'vitest'
import { hour, instantAt, isoOf, minute } from '../../../../engine/files/dates.ts'
import { problemsOfClocks } from '../../../../helpers/export/judge/offsets.ts'
import { smallTrail, wantedBy } from '../small-trail.ts'

const zone = 'Asia/Kathmandu'
const ahead = 5n * hour + 45n * minute

/** The sentences about a file in a time zone that holds these rows. */
async function sentencesOf(inZone: (events: string[][]) => string[][]) {
  const { exports, window, ranges, span } = smallTrail((query) =>
    query.timezone === zone ? { rows: inZone(wantedBy(query)) } : undefined,
  )
  const times = await ranges.times()
  const problems = await problemsOfClocks(exports, { window, times, asked: [{ zone, span }] })
  return problems.map(({ sentence }) => sentence)
}

const shownAt = (row: string[], by: bigint) =>
  row.with(1, isoOf(instantAt(row[1] ?? '') + by).replace('Z', ''))
const onClock = (row: string[]) => shownAt(row, ahead)
/** The fourth event is five hours late. */
const oneLate = (row: string[], n: number) => shownAt(row, n === 3 ? ahead + 5n * hour : ahead)

test('times on the clock of their zone are as they are to be, in whatever order', async () => {
  expect(await sentencesOf((rows) => rows.map(onClock))).toEqual([])
  expect(await sentencesOf((rows) => rows.map(onClock).reverse())).toEqual([])
})

test('a time on another clock is told beside that of the same event', async () => {
  expect(await sentencesOf((rows) => rows.map(oneLate))).toEqual([
    'in Asia/Kathmandu a time is shown as 2026-03-01T13:52:13, not 2026-03-01T08:52:13',
  ])
})

test('where rows of one place are of two events, times are told in order of time', async () => {
  expect(await sentencesOf((rows) => rows.map(oneLate).reverse())).toEqual([
    'in Asia/Kathmandu a time is shown as 2026-03-01T09:52:13, not 2026-03-01T08:52:13',
  ])
})

test('an offset of another zone behind the right time is told', async () => {
  expect(
    await sentencesOf((rows) =>
      rows.map((row) => onClock(row).with(1, `${onClock(row)[1]}+01:00`)),
    ),
  ).toEqual([
    'in Asia/Kathmandu a time is shown as 2026-03-01T05:52:13.124+01:00, not with the offset of Asia/Kathmandu behind it',
  ])
})
