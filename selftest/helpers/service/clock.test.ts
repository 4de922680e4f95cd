import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../../engine/http/exchange.ts'
import { type Ahead, watchClock } from '../../../helpers/service/clock.ts'

const start = Date.parse('2026-03-01T12:00:00.500Z')
const hourMs = 3_600_000

/** An exchange of 100 ms with a clock that is ahead. */
const exchange = (ahead: number, more: Partial<Exchange> = {}): Exchange => ({
  number: 1,
  start: new Date(start).toISOString(),
  method: 'GET',
  path: '/tasks/1',
  requestHeaders: {},
  status: 200,
  headers: { date: new Date(start + ahead).toUTCString() },
  milliseconds: 100,
  attempt: 1,
  ...more,
})
const update = (ahead: number, more: Partial<Exchange> = {}) =>
  exchange(0, {
    method: 'PUT',
    body: JSON.stringify({ updated_at: new Date(start + ahead).toISOString() }),
    ...more,
  })

const seen = (...exchanges: Exchange[]): Ahead => {
  const clock = watchClock()
  for (const each of exchanges) clock.see(each)
  return clock.ahead
}

describe("the service's clock", () => {
  test('is ours, where it is seconds apart', () => {
    expect(seen(exchange(0), update(50))).toEqual({ date: 0, updated: 0 })
    expect(seen(exchange(-4000), update(4000))).toEqual({ date: 0, updated: 0 })
  })

  test('is known by the header Date, and by what an accepted update shows', () => {
    const { date = 0 } = seen(exchange(-3 * hourMs))
    expect(Math.abs(date + 3 * hourMs)).toBeLessThan(2000)
    const { updated = 0 } = seen(update(hourMs))
    expect(Math.abs(updated - hourMs)).toBeLessThan(1000)
  })

  test('is not known from other origins, nor from answers without a time', () => {
    expect(seen(exchange(hourMs, { base: 'https://elsewhere' }))).toEqual({})
    expect(seen(exchange(hourMs, { headers: { age: '3600', date: 'x' } }))).toEqual({})
    expect(seen(exchange(0, { headers: { date: 'soon' } }))).toEqual({})
    const { updated } = seen(update(hourMs, { status: 409 }), update(0, { body: '<html>' }))
    expect(updated).toBeUndefined()
  })

  test('may be two, and the earlier comes first', () => {
    const clock = watchClock({ date: 0 })
    clock.see(update(-3 * hourMs))
    const [first = 0, second = 0] = clock.times()
    expect(second - first).toBeGreaterThan(2.9 * hourMs)
    expect(watchClock({ date: hourMs, updated: hourMs + 500 }).times()).toHaveLength(1)
  })
})
