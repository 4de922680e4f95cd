import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openBreaker } from '../../../engine/http/circuits/breaker.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function opened() {
  const service = { alive: false, probes: 0 }
  const life = new AbortController()
  const breaker = openBreaker({
    signal: life.signal,
    probe: async () => {
      service.probes++
      return service.alive
    },
  })
  const fail = (times: number) => {
    for (let i = 0; i < times; i++) breaker.failed('connection refused')
  }
  return { breaker, service, fail, life }
}

const calm = new AbortController().signal

describe('the circuit', () => {
  test('stays closed while failures are not in a row', async () => {
    const { breaker, fail } = opened()
    fail(4)
    breaker.succeeded()
    fail(4)
    expect(breaker.closed).toBe(true)
    await breaker.admit(calm)
  })

  test('gives up after a while, then fails at once, and probes less and less often', async () => {
    const { breaker, service, fail } = opened()
    vi.setSystemTime('2026-01-02T03:04:05Z')
    fail(5)
    const words = 'the service stopped responding at 03:04:05 UTC (connection refused)'
    const waiting = expect(breaker.admit(calm)).rejects.toThrow(words)
    await vi.advanceTimersByTimeAsync(15_000)
    await waiting
    expect(service.probes).toBe(15)
    await expect(breaker.admit(calm)).rejects.toThrow(words)
    expect(service.probes).toBe(15)

    for (const [seconds, probes] of Object.entries({ 5: 16, 10: 17, 20: 18 })) {
      await vi.advanceTimersByTimeAsync(Number(seconds) * 1000)
      const again = expect(breaker.admit(calm)).rejects.toThrow(words)
      await vi.advanceTimersByTimeAsync(1000)
      await again
      expect(service.probes).toBe(probes)
    }
  })

  test('stops probing after a minute, until an answer comes', async () => {
    const { breaker, service, fail } = opened()
    fail(5)
    const words = /stopped responding/
    for (const seconds of [15, 80]) {
      const waiting = expect(breaker.admit(calm)).rejects.toThrow(words)
      await vi.advanceTimersByTimeAsync(seconds * 1000)
      await waiting
    }
    const last = expect(breaker.admit(calm)).rejects.toThrow(words)
    await vi.advanceTimersByTimeAsync(1000)
    await last
    const { probes } = service
    await vi.advanceTimersByTimeAsync(1_000_000)
    await expect(breaker.admit(calm)).rejects.toThrow(words)
    expect(service.probes).toBe(probes)
    breaker.succeeded()
    await breaker.admit(calm)
  })

  test('can be left while waiting', async () => {
    const { breaker, fail } = opened()
    fail(5)
    const leaving = new AbortController()
    const waiting = expect(breaker.admit(leaving.signal)).rejects.toThrow('left')
    leaving.abort(new Error('left'))
    await waiting
  })
})
