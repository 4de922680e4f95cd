import { expect, test } from 'vitest'
import { instantAt } from '../../../../engine/files/dates.ts'
import type { Query } from '../../../../helpers/export/ask/query.ts'
import { findWindow } from '../../../../helpers/export/learn/find-window.ts'
import { hourBefore } from '../../../../helpers/export/learn/spans.ts'
import { idOf, smallTrail } from '../small-trail.ts'

const dayMs = 24 * 3_600_000
const pdfLimit = 160
const latest = hourBefore(Date.now()).end
const weekEarlier = new Date(Date.parse(latest) - 7 * dayMs).toISOString()

type Cells = (time: number, n: number) => string[]
const plain: Cells = (time, n) => [
  ...[idOf(n), new Date(time).toISOString()],
  ...['user', 'task', 'created', ''],
]

/** Times that lie so many days before the latest end, evenly. */
const between = (from: number, to: number, count: number) =>
  Array.from(
    { length: count },
    (_, n) => Date.parse(latest) - (from + ((to - from) * (n + 0.5)) / count) * dayMs,
  )

/**
 * The window that is found where these events are, each with these cells; `late` ones come once they are asked
 * for, and what begins at `refused` is refused.
 */
async function findIn(times: number[], cells = plain, late: number[] = [], refused?: string) {
  let looks = 0
  const trail = smallTrail(({ start, end }: Query) => {
    if (refused && start === refused) return 400
    const isIn = (time: number) => {
      const iso = instantAt(new Date(time).toISOString())
      return (!start || iso >= instantAt(start)) && (!end || iso <= instantAt(end))
    }
    const come = late.filter(isIn).slice(0, looks)
    if (come.length > 0 || late.some(isIn)) looks += 1
    const shown = [...times.filter(isIn), ...come].sort((a, b) => a - b)
    return { rows: shown.map((time, n) => cells(time, n)) }
  })
  const settings = { settleMs: 20 } as never
  const { signal } = new AbortController()
  return findWindow(trail.exports, { settings, stop: signal, pdfLimit })
}

test('a window ends a week ago where nothing happened since', async () => {
  expect(await findIn(between(20, 300, 150))).toMatchObject({ end: weekEarlier })
})

test('it ends an hour ago where something happened in the last week, or too little before', async () => {
  expect(await findIn(between(0, 100, 1_000))).toMatchObject({ end: latest })
  const few = await findIn(between(20, 100, 60))
  expect(few).toMatchObject({ end: latest })
  expect(few.rows).toHaveLength(60)
})

test('it is looked at again later where a column may go by the clock', async () => {
  const endOf = async (tag: (n: number, time: number) => string) => {
    const cells: Cells = (time, n) => [...plain(time, n).slice(0, 5), tag(n, time)]
    return (await findIn(between(20, 300, 150), cells)).end
  }
  expect(await endOf(() => '10:07')).toBe(latest)
  expect(await endOf((n) => `${200 - n} minutes ago`)).toBe(latest)
  expect(await endOf(() => 'ours')).toBe(weekEarlier)
  expect(await endOf(() => idOf(7))).toBe(weekEarlier)
  expect(await endOf((_, time) => new Date(time + 60_000).toISOString())).toBe(weekEarlier)
})

test('it ends an hour ago where the last week is refused', async () => {
  expect((await findIn(between(20, 300, 150), plain, [], weekEarlier)).end).toBe(latest)
})

test('one into which events still come is not taken', async () => {
  const times = between(20, 300, 140)
  const late = between(30, 40, 30)
  const found = await findIn(times, plain, late)
  expect(found.end).not.toBe(weekEarlier)
})
