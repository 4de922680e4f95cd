import { expect, test } from 'vitest'
import { confirmed } from '../../../helpers/export/learn/confirmed.ts'
import { events, smallTrail } from './small-trail.ts'

test('a file of more records than are kept is not compared', async () => {
  const found = { answer: { status: 200 }, csv: { records: [['1']], count: 20_001 } }
  const exports = { csv: async () => found } as never
  const judging = confirmed(exports, {} as never, async (fetch) => {
    await fetch({})
    return []
  })
  await expect(judging).rejects.toThrow(
    'set EXPORT_FROM and EXPORT_TO to a shorter window: 20001 records are too many to compare',
  )
})

/** Judges a breach that shows each time, in a window that grows at every look, or does not. */
async function confirmedWhere(isMoving: boolean) {
  const trail = smallTrail(() => ({ rows: events.slice(isMoving ? -5 - trail.asked.length : -5) }))
  let judged = 0
  const judge = async () => {
    judged += 1
    return [{ sentence: 'it is wrong' } as never]
  }
  const came = confirmed(trail.exports, trail.window, judge)
  return [await came.then(({ length }) => length).catch(({ message }) => message), judged]
}

test('a problem is a breach once the window stays the same, and undecided if it always changes', async () => {
  expect(await confirmedWhere(false)).toEqual([1, 2])
  expect(await confirmedWhere(true)).toEqual([expect.stringMatching(/in each of 3 tries/), 4])
})
