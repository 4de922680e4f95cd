import { expect, test, vi } from 'vitest'
import { poll } from '../../engine/time/polling.ts'
import { atTestEnd } from '../test-end.ts'

const { signal: stop } = new AbortController()

test('the first look comes at once, or after a pause if a look was just made', async () => {
  const looksAtOnce = async (isSeen: boolean) => {
    let looks = 0
    const look = async () => (looks += 1)
    const polled = poll(look, () => true, { limitMs: 5, stop, isSeen })
    const atOnce = looks
    expect(await polled).toMatchObject({ last: 1, met: true })
    return atOnce
  }
  expect([await looksAtOnce(false), await looksAtOnce(true)]).toEqual([1, 0])
})

test('a look that was just made is followed by another, however short the time is', async () => {
  let looks = 0
  const polled = poll(
    async () => (looks += 1),
    () => false,
    { limitMs: 0, stop, isSeen: true },
  )
  expect(await polled).toMatchObject({ last: 1, met: false })
})

test('polling looks until the condition holds, and once more at the very end of the time', async () => {
  vi.useFakeTimers()
  atTestEnd(() => vi.useRealTimers())
  let looks = 0
  const look = async () => ++looks
  const met = poll(look, (n) => n === 3, { limitMs: 60_000, stop, firstMs: 1 })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await met).toEqual({ last: 3, met: true, milliseconds: 3 })
  const late = poll(look, () => false, { limitMs: 40, stop, firstMs: 1000 })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await late).toEqual({ last: 5, met: false, milliseconds: 40 })
})

test('waiting ends with the run', async () => {
  const stopping = new AbortController()
  const look = async () => 0
  const waiting = poll(look, () => false, { limitMs: 60_000, stop: stopping.signal })
  stopping.abort(new Error('the run was interrupted'))
  await expect(waiting).rejects.toThrow('the run was interrupted')
})
