import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync, gzip } from 'node:zlib'
import { expect, test } from 'vitest'
import { holdTime, inSimulatedTime } from './time.ts'

const hour = 3_600_000

test('an hour of simulated time is over at once, and real time goes on afterwards', async () => {
  const began = process.hrtime.bigint()
  const passed = () =>
    inSimulatedTime(async () => {
      const [date, now] = [Date.now(), performance.now()]
      await new Promise((resolve) => setTimeout(resolve, hour))
      await sleep(hour)
      const ends = [
        Date.now(),
        Date.parse(new Date().toISOString()),
        performance.now() + date - now,
      ]
      return { at: performance.timeOrigin + now, ms: ends.map((end) => Math.round(end - date)) }
    })
  const [first, again] = [await passed(), await passed()]
  expect(first.ms).toEqual([2 * hour, 2 * hour, 2 * hour])
  // Each begins at the same whole second.
  expect(again).toEqual(first)
  expect(Math.abs(first.at - 1000 * Math.round(first.at / 1000))).toBeLessThan(0.01)
  expect(Number(process.hrtime.bigint() - began) / 1e6).toBeLessThan(hour)
  const real = Date.parse(new Date().toISOString())
  expect(Math.abs(real - performance.timeOrigin - performance.now())).toBeLessThan(1000)
})

test('timers go off by their time, then in the order in which they were set', async () => {
  const order = await inSimulatedTime(async () => {
    const said: string[] = []
    const off = setTimeout(() => said.push('called off'), 5)
    setTimeout(() => said.push('10 first'), 10)
    setTimeout(() => said.push('10 last'), 10)
    setTimeout(() => said.push('1'), 1)
    setImmediate(() => said.push('at once'))
    queueMicrotask(() => said.push('before all'))
    const every = setInterval(() => said.push('each 4'), 4)
    clearTimeout(off)
    await sleep(11)
    clearInterval(every)
    await sleep(20)
    return said
  })
  expect(order.join(', ')).toBe('before all, at once, 1, each 4, each 4, 10 first, 10 last')
})

test('the clock waits for what really takes time', async () => {
  const said = await inSimulatedTime(async () => {
    const order: string[] = []
    setTimeout(() => order.push('timer'), 1)
    const release = holdTime()
    await new Promise<void>((resolve) => {
      gzip('x'.repeat(1000), (_, bytes) => {
        order.push(`compressed ${gunzipSync(bytes).length}`)
        resolve()
      })
    })
    release()
    await sleep(2)
    return order
  })
  expect(said).toEqual(['compressed 1000', 'timer'])
})
