import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openPace, type Slot } from '../../../engine/http/pace.ts'

type Pace = ReturnType<typeof openPace>

/** Takes n slots and notes it in the log when it has them. */
function take(pace: Pace, name: string, n: number, log: string[], signal?: AbortSignal) {
  const taken = pace.take(n, signal)
  taken.then(
    () => log.push(name),
    (error) => log.push(`${name}: ${error.message}`),
  )
  return taken
}

const giveBack = (slots: Slot[]) => {
  for (const slot of slots) slot()
}

describe('so many in flight', () => {
  test('first come, first served', async () => {
    const pace = openPace({ concurrency: 2 })
    const log: string[] = []
    const [a, b] = await Promise.all([take(pace, 'a', 1, log), take(pace, 'b', 1, log)])
    take(pace, 'c', 1, log)
    take(pace, 'd', 1, log)
    await turn()
    expect(log).toEqual(['a', 'b'])
    giveBack(b)
    giveBack(b)
    await turn()
    expect(log).toEqual(['a', 'b', 'c'])
    giveBack(a)
    await turn()
    expect(log).toEqual(['a', 'b', 'c', 'd'])
  })

  test('several together are neither overtaken nor more than there are', async () => {
    const pace = openPace({ concurrency: 3 })
    const log: string[] = []
    const one = await take(pace, 'one', 1, log)
    const all = take(pace, 'all', 99, log)
    take(pace, 'late', 1, log)
    await turn()
    expect(log).toEqual(['one'])
    giveBack(one)
    expect(await all).toHaveLength(3)
    await turn()
    expect(log).toEqual(['one', 'all'])
    giveBack(await all)
    await turn()
    expect(log).toEqual(['one', 'all', 'late'])
  })

  test('who leaves the line lets the next one pass', async () => {
    const pace = openPace({ concurrency: 2 })
    const log: string[] = []
    await take(pace, 'a', 1, log)
    const leaving = new AbortController()
    const both = take(pace, 'both', 2, log, leaving.signal).catch(() => {})
    take(pace, 'b', 1, log)
    leaving.abort(new Error('left'))
    await both
    await turn()
    expect(log.sort()).toEqual(['a', 'b', 'both: left'])
    await expect(pace.take(1, leaving.signal)).rejects.toThrow('left')
  })

  test('many at random come to an end', async () => {
    const pace = openPace({ concurrency: 4 })
    let held = 0
    let most = 0
    await Promise.all(
      Array.from({ length: 200 }, async (_, i) => {
        const slots = await pace.take((i % 5) + 1)
        held += slots.length
        most = Math.max(most, held)
        await turn()
        held -= slots.length
        giveBack(slots)
      }),
    )
    expect(most).toBe(4)
    expect(held).toBe(0)
  })
})

describe('so many starts a second', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  async function starts(requestsPerSecond: number, sizes: number[]) {
    const pace = openPace({ concurrency: 100, requestsPerSecond })
    const begun = performance.now()
    const at: number[] = []
    for (const n of sizes)
      pace.take(n).then((slots) => at.push(...slots.map(() => performance.now() - begun)))
    await vi.advanceTimersByTimeAsync(60_000)
    return at
  }

  test.each([1, 3, 10, 2.5, 0.5])('%d', async (rate) => {
    const at = await starts(rate, Array(25).fill(1))
    expect(at).toHaveLength(25)
    for (const start of at) {
      const window = Math.max(1000, 1000 / rate)
      const within = at.filter((other) => other >= start && other < start + window)
      expect(within.length).toBeLessThanOrEqual(Math.max(1, rate))
    }
  })

  test('several together count as several', async () => {
    const at = await starts(4, [3, 3, 9])
    expect(at).toHaveLength(10)
    expect(at.slice(0, 3)).toEqual([0, 0, 0])
    for (const start of at)
      expect(at.filter((other) => other >= start && other < start + 1000).length).toBeLessThan(5)
  })
})
