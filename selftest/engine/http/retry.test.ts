import { describe, expect, test } from 'vitest'
import { decide, type Happening, seededRandom } from '../../../engine/http/retry.ts'

const now = Date.parse('2026-01-01T00:00:00Z')

function decision(happening: Record<string, unknown>, attempt = 1, repeatable = true) {
  const whole = { lasting: false, headers: {}, ...happening } as unknown as Happening
  return decide(whole, { repeatable, attempt, random: 0.5, now })
}

/** retry, done, give up, or fate unknown: by kind of request and number of the attempt */
// biome-ignore format: one case a line
const table: [string, Record<string, unknown>, get: string[], put: string[]][] = [
  ['not connected', { message: 'x', sent: false }, [...'rrrrrg'], [...'rrrrrg']],
  ['no connection', { message: 'x', sent: false, silent: true }, [...'rrg'], [...'rrg']],
  ['lost on the way', { message: 'x', sent: 'unknown' }, ['r', 'r', 'g'], ['?', '?', '?']],
  ['broken in the answer', { message: 'x', sent: true }, ['r', 'r', 'g'], ['?', '?', '?']],
  ['no trust', { message: 'x', sent: false, lasting: true }, ['g', 'g', 'g'], ['g', 'g', 'g']],
  ['unusable answer', { message: 'x', sent: true, lasting: true }, ['g', 'g', 'g'], ['?', '?', '?']],
  ['429', { status: 429 }, [...'rrrrrrrg'], [...'rrrrrrrg']],
  ['502', { status: 502 }, ['r', 'r', 'g'], ['?', '?', '?']],
  ['503', { status: 503 }, ['r', 'r', 'g'], ['r', 'r', 'g']],
  ['504', { status: 504 }, ['r', 'r', 'g'], ['?', '?', '?']],
  ...[200, 204, 301, 400, 401, 404, 409, 500, 501, 505].map((status): (typeof table)[number] => [
    `${status}`,
    { status },
    ['d', 'd'],
    ['d', 'd'],
  ]),
]

function letter(happening: Record<string, unknown>, attempt: number, repeatable: boolean) {
  const made = decision(happening, attempt, repeatable)
  if (made.next === 'give up') return made.fateUnknown ? '?' : 'g'
  return made.next.charAt(0)
}

describe('what follows after', () => {
  test.each(table)('%s', (_, happening, get, put) => {
    expect(get.map((_, i) => letter(happening, i + 1, true))).toEqual(get)
    expect(put.map((_, i) => letter(happening, i + 1, false))).toEqual(put)
  })

  test('anything, if the first answer is final', () => {
    const situation = { repeatable: true, attempt: 1, retries: false as const, random: 0, now }
    expect(decide({ status: 503, headers: {} }, situation).next).toBe('done')
    const lost = { message: 'x', sent: false, lasting: false, silent: false } as const
    expect(decide(lost, situation).next).toBe('give up')
  })
})

describe('the wait', () => {
  test.each([
    ['2', 2500],
    ['0', 50],
    ['Thu, 01 Jan 2026 00:00:03 GMT', 3500],
    ['Wed, 31 Dec 2025 00:00:03 GMT', 50],
    // A status without a meaning: our own
    ['-1', 200],
    ['soon', 200],
    ['1.5', 200],
    ['', 200],
  ])('after Retry-After: %s', (retryAfter, waitMs) => {
    expect(decision({ status: 429, headers: { 'retry-after': retryAfter } })).toEqual({
      next: 'retry',
      waitMs,
    })
  })

  test('is not taken when it is too long', () => {
    expect(decision({ status: 503, headers: { 'retry-after': '3600' } })).toEqual({
      next: 'give up',
      why: 'responded 503 and asks to wait 3600 s, longer than 10 s',
      fateUnknown: false,
    })
  })

  test('doubles, up to two seconds', () => {
    const waits = [1, 2, 3, 4, 5, 6].map((attempt) => decision({ status: 429 }, attempt))
    expect(waits.map((wait) => wait.next === 'retry' && wait.waitMs)).toEqual([
      200, 400, 800, 1600, 2000, 2000,
    ])
  })
})

test('the final message names status and attempts', () => {
  expect(decision({ status: 429 }, 8)).toMatchObject({ why: 'responded 429 (8 attempts)' })
})

test('a seed replays its chance', () => {
  const three = (seed: number) => {
    const random = seededRandom(seed)
    return [random(), random(), random()]
  }
  expect(three(7)).toEqual(three(7))
  expect(three(7)).not.toEqual(three(8))
  for (const number of three(7)) expect(number >= 0 && number < 1).toBe(true)
})
