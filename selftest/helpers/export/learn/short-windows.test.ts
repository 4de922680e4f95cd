import { expect, test } from 'vitest'
import { placesOfEvents } from '../../../../helpers/export/learn/short-windows.ts'
import { events, smallTrail } from '../small-trail.ts'

const other = { start: '2025-09-01T00:00:00.000Z', end: '2025-09-02T00:00:00.000Z' }
const ofOther = events
  .slice(0, 2)
  .map(([id = '', time = '', ...rest]) => [id, time.replace('2026-03', '2025-09'), ...rest])

/** The places around the times that the file shows, where another season has events or has none. */
async function placesShown(isBoth: boolean) {
  const { ranges, window, span } = smallTrail(({ start }) =>
    start === other.start ? { rows: ofOther } : undefined,
  )
  const spans = isBoth ? [span, other] : [span]
  const seasons = async () => ({ spans, isBoth, date: '2026-03-01' })
  const [shown = []] = await placesOfEvents({ ...ranges, seasons } as never, window)
  return shown
}

test('events of another season have every third place, as long as there are any', async () => {
  const shown = await placesShown(true)
  const [here, there] = ['2026-03', '2025-09']
  expect(shown.slice(0, 7).map(({ start }) => start.slice(0, 7))).toEqual([
    ...[here, here, there, here, here, there],
    here,
  ])
  expect(shown[2]).toEqual({ start: '2025-09-01T00:07:12.674Z', end: '2025-09-01T00:07:13.574Z' })
  expect(shown).toHaveLength(14)
})

test('without another season every place is of the window, and none comes twice', async () => {
  const shown = await placesShown(false)
  expect(shown).toHaveLength(12)
  expect(new Set(shown.map(({ start }) => start)).size).toBe(12)
})
