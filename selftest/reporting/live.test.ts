import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { clock } from '../../engine/time/timers.ts'
import { liveLine } from '../../reporting/live.ts'
import { runAgainst } from '../proofs/prove.ts'

const useFakeTime = () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['performance', 'Date', 'setInterval', 'clearInterval'] })
  })
  afterEach(() => {
    vi.useRealTimers()
  })
}

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
  useFakeTime()

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

  test('an estimate becomes later only with its reason', () => {
    const { live, output } = begun()
    live.collected(0, { files: 50 })
    const answer = (files: number) => {
      live.requested(files, { files })
      vi.advanceTimersByTime(10_000)
      live.requested(0)
    }
    for (const files of [1, 10, 8, 1, 0]) answer(files)
    live.collected(0, { files: 50 })
    for (const files of [10, 30, 30]) answer(files)
    const told = output.slice(1).map((line) => /(about|waiting) .*/.exec(line)?.[0])
    expect(told).toEqual([
      undefined,
      'about 30 s left for files',
      'about 20 s left for files',
      'about 40 s left for files: one comes every 1.6 s now, and came every 1.0 s before',
      'about 30 s left for files: one comes every 1.6 s now, and came every 1.0 s before',
      'about 2 min left for files: there are more of them now',
      'about 40 s left for files: there are more of them now',
      'waiting for 6 clauses, such as a',
    ])
  })

  test('of another kind, an estimate has its reason too', () => {
    const { live, output } = begun()
    live.collected(0, { CSVs: 20, PDFs: 10 })
    live.requested(2, { CSVs: 2 })
    vi.advanceTimersByTime(10_000)
    live.requested(10, { CSVs: 10 })
    expect(output.at(-1)).toMatch(/ about 10 s left for CSVs\n$/)
    live.requested(1, { PDFs: 1 })
    vi.advanceTimersByTime(10_000)
    live.requested(1, { PDFs: 1 })
    expect(output.at(-1)).toMatch(/ about 80 s left for PDFs: one comes every 10\.0 s\n$/)
  })

  test('says what it waits for, and until when, while nothing else happens', () => {
    const { live, output } = begun()
    live.judged('a')
    const untilIn = (ms: number) => clock.date() + ms
    live.waits([
      { what: 'audit events', until: untilIn(12_000) },
      { what: 'emails', until: untilIn(3_000) },
      { what: 'emails', until: untilIn(28_000) },
    ])
    vi.advanceTimersByTime(10_000)
    const first = 'emails (18 s at most) and audit events (2 s at most)'
    expect(output.slice(1)).toEqual([
      `1/6 clauses  0 requests  10.0 s  waiting for ${first}: 5 clauses, such as b\n`,
    ])
    live.judged('b')
    live.judged('c')
    vi.advanceTimersByTime(10_000)
    expect(output.at(-1)).toMatch(/ 20\.0 s {2}waiting for d, e, f: emails \(8 s at most\)\n$/)
    live.waits([])
    vi.advanceTimersByTime(60_000)
    expect(output).toHaveLength(3)
  })

  test('ends with the run, also during a wait', () => {
    const { live, output } = begun(true)
    live.waits([{ what: 'emails', until: clock.date() + 60_000 }])
    live.end()
    const before = output.length
    vi.advanceTimersByTime(60_000)
    expect(output).toHaveLength(before)
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

test('a run says that it waits for emails that do not come', async () => {
  const output: string[] = []
  const out = { write: (text: string) => output.push(text), isTTY: true, columns: 200 }
  const lost = { stated: { mailed: () => [] }, env: { MAIL_WAIT_S: '4' } }
  await runAgainst(lost, ['--clauses', 'notify.user'], { out })
  expect(output.join('')).toMatch(/waiting for .*notify\.user.*: emails \([1-3] s at most\)/)
})
