import { expect, test } from 'vitest'
import { poll } from '../../engine/time/polling.ts'

const { signal: stop } = new AbortController()

test('the first look comes at once, and after a pause where somebody looked just now', async () => {
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

test('what was seen just now is looked at once more, however short the time is', async () => {
  let looks = 0
  const polled = poll(
    async () => (looks += 1),
    () => false,
    { limitMs: 0, stop, isSeen: true },
  )
  expect(await polled).toMatchObject({ last: 1, met: false })
})
