import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync, gzip } from 'node:zlib'
import { expect, test } from 'vitest'
import { holdTime, inSimulatedTime } from './time.ts'

const hour = 3_600_000

test('an hour of simulated time is over at once, and real time goes on afterwards', async () => {
  const began = process.hrtime.bigint()
  const passed = await inSimulatedTime(async () => {
    const [date, now] = [Date.now(), performance.now()]
    await new Promise((resolve) => setTimeout(resolve, hour))
    await sleep(hour)
    return [Date.now() - date, performance.now() - now, Date.parse(new Date().toISOString()) - date]
  })
  expect(passed.map(Math.round)).toEqual([2 * hour, 2 * hour, 2 * hour])
  expect(Number(process.hrtime.bigint() - began) / 1e6).toBeLessThan(hour)
  const real = Date.parse(new Date().toISOString())
  expect(Math.abs(real - performance.timeOrigin - performance.now())).toBeLessThan(1000)
})

test('timers go off by their time, then in the order in which they were set', async () => {
  const order = await inSimulatedTime(async () => {
    const said: string[] = []
    const off = setTimeout(() => said.push('called off'), 5)
    setTimeout(() => said.push('10, set first'), 10)
    setTimeout(() => said.push('10, set last'), 10)
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
  expect(order).toEqual([
    'before all',
    'at once',
    '1',
    'each 4',
    'each 4',
    '10, set first',
    '10, set last',
  ])
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

test('every simulation begins at the same whole second', async () => {
  const first = await inSimulatedTime(async () => performance.timeOrigin + performance.now())
  await inSimulatedTime(() => sleep(hour))
  expect(await inSimulatedTime(async () => performance.timeOrigin + performance.now())).toBe(first)
  expect(Math.abs(first - 1000 * Math.round(first / 1000))).toBeLessThan(0.01)
})
