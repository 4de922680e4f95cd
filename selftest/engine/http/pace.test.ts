import { setImmediate as turn } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openPace, type Slot } from '../../../engine/http/pace.ts'

type Pace = ReturnType<typeof openPace>

function take(
  pace: Pace,
  name: string,
  n: number,
  log: string[],
  ...more: [AbortSignal?, boolean?]
) {
  const taken = pace.take(n, ...more)
  taken.then(
    () => log.push(name),
    (error) => log.push(`${name}: ${error.message}`),
  )
  return taken
}

const giveBack = (slots: Slot[]) => {
  for (const slot of slots) slot()
}

describe('limits requests in flight', () => {
  test('first come, first served; a slot is given back once', async () => {
    const pace = openPace({ concurrency: 2 })
    const log: string[] = []
    const [a, b] = await Promise.all([take(pace, 'a', 1, log), take(pace, 'b', 1, log)])
    for (const name of ['c', 'd']) take(pace, name, 1, log)
    giveBack(b)
    giveBack(b)
    await turn()
    expect(log).toEqual(['a', 'b', 'c'])
    giveBack(a)
    await turn()
    expect(log).toEqual(['a', 'b', 'c', 'd'])
  })

  test('several together are not overtaken, and never exceed the limit', async () => {
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

  test('urgent requests have their own line, which takes turns with the other', async () => {
    const pace = openPace({ concurrency: 1 })
    const log: string[] = []
    const hurried = (name: string) => take(pace, name, 1, log, undefined, true)
    const all = [take(pace, 'a', 1, log), take(pace, 'b', 1, log), take(pace, 'c', 1, log)]
    all.push(hurried('first'), hurried('second'), hurried('third'))
    for (const taken of all) void taken.then(giveBack)
    await Promise.all(all)
    expect(log).toEqual(['a', 'first', 'b', 'second', 'c', 'third'])
  })

  test('a waiting request for many slots is not overtaken forever', async () => {
    const pace = openPace({ concurrency: 2 })
    const log: string[] = []
    const [one] = await Promise.all([take(pace, 'one', 1, log, undefined, true)])
    const both = take(pace, 'both', 2, log)
    take(pace, 'hurried', 1, log, undefined, true)
    await turn()
    expect(log).toEqual(['one'])
    giveBack(one)
    giveBack(await both)
    await turn()
    expect(log).toEqual(['one', 'both', 'hurried'])
  })

  test('leaving the line lets the next one pass', async () => {
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
})

describe('limits starts per second', () => {
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
      expect(within.length).toBeLessThanOrEqual(Math.ceil(rate))
    }
  })

  test('several together count as several', async () => {
    const at = await starts(4, [3, 3, 9])
    expect(at).toHaveLength(10)
    expect(at.slice(0, 3)).toEqual([0, 0, 0])
    for (const start of at)
      expect(at.filter((other) => other >= start && other < start + 1000).length).toBeLessThan(5)
  })

  /** Sends as fast as allowed to a service that refuses some; returns how many were accepted in each second. */
  async function accepted(
    isRefused: (count: number, inSecond: number) => boolean,
    seconds: number,
  ) {
    const pace = openPace({ concurrency: 8 })
    const perSecond: number[] = Array(seconds).fill(0)
    let [count, second, inSecond] = [0, 0, 0]
    const begun = performance.now()
    const ask = async () => {
      for (;;) {
        const [slot] = (await pace.take(1)) as [Slot]
        await new Promise((resolve) => setTimeout(resolve, 50))
        const now = Math.floor((performance.now() - begun) / 1000)
        if (now >= seconds) return
        inSecond = now === second ? inSecond + 1 : 1
        second = now
        count += 1
        const tooMany = isRefused(count, inSecond)
        if (!tooMany) perSecond[now] = (perSecond[now] ?? 0) + 1
        slot()
        pace.answered(tooMany)
        if (tooMany) await new Promise((resolve) => setTimeout(resolve, 1000))
      }
    }
    for (let n = 0; n < 20; n += 1) void ask()
    await vi.advanceTimersByTimeAsync(seconds * 1000)
    return perSecond
  }

  test('follows the rate that the service accepts after "too many"', async () => {
    const most = 3
    let refused = 0
    const perSecond = await accepted((_, inSecond) => {
      if (inSecond > most) refused += 1
      return inSecond > most
    }, 60)
    const sum = perSecond.reduce((one, other) => one + other)
    expect(sum).toBeGreaterThan(60 * most * 0.7)
    expect(refused).toBeLessThan(sum)
  })

  test('does not slow down for ever if a part is refused at any pace', async () => {
    const perSecond = await accepted((count) => count % 5 === 0, 40)
    const sum = (from: number) =>
      perSecond.slice(from, from + 20).reduce((one, other) => one + other)
    expect(sum(20)).toBeGreaterThan(0.7 * sum(0))
  })
})
