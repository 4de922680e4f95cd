import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { liveLine } from '../../reporting/live.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const ids = ['a', 'b', 'c', 'd', 'e', 'f']

/** A run with all clauses started, and its output so far. */
function begun(isTTY = false) {
  const output: string[] = []
  const live = liveLine({ write: (text) => output.push(text), isTTY, columns: 60 })
  live.collected(ids.length)
  for (const id of ids) live.started(id)
  return { live, output }
}

describe('the progress of a run', () => {
  test('is a line now and then in CI, naming the clause that ended last, or the few that are left', () => {
    const { live, output } = begun()
    live.judged('c')
    expect(output).toEqual(['checking 6 clauses\n'])
    vi.advanceTimersByTime(10_000)
    live.judged('b')
    live.judged('d')
    expect(output.slice(1)).toEqual(['2/6 clauses  0 requests  10.0 s  last: b\n'])
    for (let at = 0; at < 3; at += 1) {
      vi.advanceTimersByTime(10_000)
      live.requested(1)
      live.requested(1)
    }
    expect(output).toHaveLength(5)
    expect(output.at(-1)).toBe('3/6 clauses  5 requests  40.0 s  waiting for a, e, f\n')
  })

  test('says how long it will take, once a file has come, by the kind that takes longest', () => {
    const { live, output } = begun()
    live.collected(0, { quick: 100, slow: 50 })
    vi.advanceTimersByTime(10_000)
    live.requested(60)
    expect(output.at(-1)).toBe('0/6 clauses  60 requests  10.0 s  \n')
    vi.advanceTimersByTime(2_000)
    live.requested(1, { quick: 40, slow: 1 })
    vi.advanceTimersByTime(8_000)
    live.requested(20, { quick: 20, slow: 16 })
    expect(output.at(-1)).toBe('0/6 clauses  81 requests  20.0 s  about 20 s left for slow\n')
    vi.advanceTimersByTime(20_000)
    live.judged('d')
    expect(output.at(-1)).toMatch(/ 40\.0 s {2}waiting for 5 clauses, such as a\n$/)
  })

  test('on a terminal: one line that is written over, never longer than it is wide', () => {
    const { live, output } = begun(true)
    vi.advanceTimersByTime(100)
    live.judged('x'.repeat(100))
    live.end()
    const over = '\r\u001b[K'
    const lines = output.map((text) => text.slice(over.length))
    expect(output).toEqual(lines.map((line) => over + line))
    expect(lines.at(-2)).toMatch(/^1\/6 clauses {2}0 requests {2}0\.1 s {2}last: x+$/)
    for (const line of lines) expect(line.length).toBeLessThan(60)
    expect(lines.at(-1)).toBe('')
  })
})
