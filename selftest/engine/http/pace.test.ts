import { setImmediate as turn } from 'node:timers/promises'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openPace, type Slot } from '../../../engine/http/pace.ts'
import { cases } from '../../long.ts'

/** The requests of a pace, and the names of those that got their slots or left the line. */
function logged(concurrency: number) {
  const pace = openPace({ concurrency })
  const log: string[] = []
  const take = (name: string, n = 1, ...more: [AbortSignal?, boolean?]) => {
    const taken = pace.take(n, ...more)
    taken.then(
      () => log.push(name),
      (error) => log.push(`${name}: ${error.message}`),
    )
    return taken
  }
  const names = async () => {
    await turn()
    return log.join()
  }
  return { pace, take, names }
}

const giveBack = (slots: Slot[]) => {
  for (const slot of slots) slot()
}

test('first come, first served; a slot is given back once', async () => {
  const { take, names } = logged(2)
  const [a, b] = await Promise.all([take('a'), take('b')])
  for (const name of ['c', 'd']) take(name)
  giveBack(b)
  giveBack(b)
  expect(await names()).toBe('a,b,c')
  giveBack(a)
  expect(await names()).toBe('a,b,c,d')
})

test('several together are not overtaken, and never exceed the limit', async () => {
  const { take, names } = logged(3)
  const one = await take('one')
  const all = take('all', 99)
  take('late')
  expect(await names()).toBe('one')
  giveBack(one)
  expect(await all).toHaveLength(3)
  expect(await names()).toBe('one,all')
  giveBack(await all)
  expect(await names()).toBe('one,all,late')
})

test('urgent requests have their own line, which takes turns with the other', async () => {
  const { take, names } = logged(1)
  const all = ['a', 'b', 'c'].map((name) => take(name))
  all.push(...['first', 'second', 'third'].map((name) => take(name, 1, undefined, true)))
  for (const taken of all) void taken.then(giveBack)
  await Promise.all(all)
  expect(await names()).toBe('a,first,b,second,c,third')
})

test('a waiting request for many slots is not overtaken forever', async () => {
  const { take, names } = logged(2)
  const one = await take('one', 1, undefined, true)
  const both = take('both', 2)
  take('hurried', 1, undefined, true)
  expect(await names()).toBe('one')
  giveBack(one)
  giveBack(await both)
  expect(await names()).toBe('one,both,hurried')
})

test('leaving the line lets the next one pass', async () => {
  const { pace, take, names } = logged(2)
  await take('a')
  const leaving = new AbortController()
  const both = take('both', 2, leaving.signal).catch(() => {})
  take('b')
  leaving.abort(new Error('left'))
  await both
  expect((await names()).split(',').sort()).toEqual(['a', 'b', 'both: left'])
  await expect(pace.take(1, leaving.signal)).rejects.toThrow('left')
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

  test('in any second, however many start together', async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(0.5, 1, 2.5, 3, 10), sizes, async (rate, all) => {
        const at = await starts(rate, all)
        const most = Math.max(1, Math.floor(rate))
        expect(at).toHaveLength(all.reduce((sum, n) => sum + Math.min(n, most), 0))
        for (const start of at) {
          const end = start + Math.max(1000, 1000 / rate)
          const within = at.filter((other) => other >= start && other < end)
          expect(within.length).toBeLessThanOrEqual(Math.ceil(rate))
        }
      }),
      { numRuns: cases(50) },
    )
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
