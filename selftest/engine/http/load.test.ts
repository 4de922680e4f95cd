import { expect, test } from 'vitest'
import { watchLoad } from '../../../engine/http/circuits/load.ts'

const file = { name: 'exports as PDF', isFile: true }
const read = { name: 'reads of tasks', isFile: false }
const { signal } = new AbortController()

test('a service that works on several at once gets as many as it was seen to work on', async () => {
  const load = watchLoad()
  const places = await Promise.all([1, 2, 3, 4].map(() => load.take(read, 10_000, signal)))
  for (const answered of places) answered(6_000)
  expect(load.most(read, 10_000)).toBe(4)
})

test('one that has to be alone waits for those under way, and no other begins before it ends', async () => {
  const load = watchLoad()
  const first = await load.take(read, 10_000, signal)
  const lone = load.take(file, 60_000, signal, true)
  const next = load.take(read, 10_000, signal)
  expect(await Promise.race([lone, next, 'both wait'])).toBe('both wait')
  first(10)
  const alone = await lone
  expect(await Promise.race([next, 'waits'])).toBe('waits')
  expect(alone.isAlone).toBe(true)
  alone(10)
  const [last, beside] = [await next, await load.take(read, 10_000, signal)]
  expect([last.isAlone, beside.isAlone]).toEqual([false, false])
})

test('one that stands in line goes on when another was answered', async () => {
  const load = watchLoad()
  const first = await load.take(read, 10_000, signal)
  first(9_000)
  const second = await load.take(read, 10_000, signal)
  const third = load.take(read, 10_000, signal)
  expect(await Promise.race([third, 'waits'])).toBe('waits')
  second()
  expect(await third).toBeTypeOf('function')
})
