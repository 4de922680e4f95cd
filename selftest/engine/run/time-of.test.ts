import { expect, test } from 'vitest'
import type { Exchange } from '../../../engine/http/exchange.ts'
import { timeOf } from '../../../engine/run/time-of.ts'

const exchange = (second: number, milliseconds: number): Exchange => ({
  number: second,
  start: new Date(second * 1000).toISOString(),
  method: 'GET',
  path: '/',
  requestHeaders: {},
  milliseconds,
  attempt: 1,
})

test.each([
  ['nothing', [], 0],
  ['one', [exchange(1, 100)], 100],
  ['one after another, whatever lies between', [exchange(60, 200), exchange(1, 100)], 300],
  ['one within another', [exchange(1, 3000), exchange(2, 100)], 3000],
  ['two that overlap', [exchange(1, 1500), exchange(2, 1000)], 2000],
])('the time of exchanges: %s', (_, evidence, expected) => {
  expect(timeOf(evidence)).toBe(expected)
})
