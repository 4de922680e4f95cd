import { expect, test } from 'vitest'
import { durationOf, type Sent } from '../../../program/stand-in/duration.ts'

let number = 0
/** A request of a rehearsal, from its beginning to its end in milliseconds. */
function sent(from: number, to: number, path: string, ...clauses: string[]): Sent {
  number += 1
  const start = new Date(Date.UTC(2026, 0, 1) + from).toISOString()
  const exchange = { number, start, method: 'GET', path, requestHeaders: {}, attempt: 1 }
  return { exchange: { ...exchange, milliseconds: to - from }, clauses }
}

test('requests of one clause wait for one another, and those of others do not', () => {
  const chain = [0, 1, 2].map((at) => sent(at, at + 1, '/assessments/1', 'a'))
  const beside = [0, 1, 2].map((at) => sent(at, at + 1, '/assessments/1', `b${at}`))
  expect(durationOf(chain, { latencyMs: 100, places: 8 })).toBe(300)
  expect(durationOf([...chain, ...beside], { latencyMs: 100, places: 8 })).toBe(300)
  expect(durationOf(beside, { latencyMs: 100, places: 8 })).toBe(100)
})

test('who asks about a task waits for what was asked about it before', () => {
  const one = sent(0, 1, '/tasks/1/update-assignment', 'a')
  const other = sent(2, 3, '/tasks/1', 'b')
  const apart = sent(2, 3, '/tasks/2', 'b')
  expect(durationOf([one, other], { latencyMs: 100, places: 8 })).toBe(200)
  expect(durationOf([one, apart], { latencyMs: 100, places: 8 })).toBe(100)
})

test('there are so many places, and so many requests in a second', () => {
  const beside = Array.from({ length: 16 }, (_, n) => sent(0, 1, '/assessments/1', `${n}`))
  expect(durationOf(beside, { latencyMs: 100, places: 4 })).toBe(400)
  expect(durationOf(beside, { latencyMs: 100, places: 16, perSecond: 10 })).toBe(1600)
  expect(durationOf([], { latencyMs: 100, places: 4 })).toBe(0)
})

test('a refused update takes time to settle, which is filled by what comes after it', () => {
  const update = sent(0, 1, '/tasks/1/update-assignment', 'a')
  const [accepted, refused] = [200, 409].map((status) => ({
    ...update,
    exchange: { ...update.exchange, method: 'PUT', status },
  })) as [Sent, Sent]
  const after = [2, 3, 4].map((at) => sent(at, at + 1, '/assessments/1', 'a'))
  const pace = { latencyMs: 100, places: 8, settleMs: 250 }
  expect(durationOf([accepted], pace)).toBe(100)
  expect(durationOf([refused], pace)).toBe(350)
  expect(durationOf([refused, ...after], pace)).toBe(400)
})
