import { expect, test } from 'vitest'
import { createTally } from '../../../engine/files/tally.ts'

const tallyOf = (rows: string[][], columns?: number[]) => {
  const tally = createTally(columns)
  for (const row of rows) tally.add(row)
  return tally
}
const countsIn = (rows: string[][], columns?: number[]) =>
  [...tallyOf(rows, columns).counts.values()].sort()

test('rows are counted as often as they occur, whatever their order', () => {
  expect(countsIn([['a'], ['b'], ['a'], ['c'], ['a'], ['b']])).toEqual([1, 2, 3])
})

test('cells do not run into each other', () => {
  const rows = [['ab', ''], ['a', 'b'], ['', 'ab'], ['ab'], ['a', 'b', '']]
  expect(tallyOf(rows).counts.size).toBe(5)
})

test('rows are compared over the columns that were asked for', () => {
  const rows = ['1a', '2a', '3b'].map((row) => [...row])
  expect(countsIn(rows, [1])).toEqual([1, 2])
  expect(countsIn([['1', 'a'], [...'1b']], [0, 5])).toEqual([2])
})

test('30,000 rows that differ in one letter are told apart, and each is found again', () => {
  const rows = Array.from({ length: 30_000 }, (_, n) => ['the same', String(n), 'in all of them'])
  const tally = tallyOf([...rows, ...rows.slice(0, 1000)])
  expect([tally.counts.size, tally.rows]).toEqual([30_000, 31_000])
  let found = 0
  for (const row of tallyOf(rows.slice(0, 2000)).counts.keys()) found += tally.counts.get(row) ?? 0
  expect(found).toBe(3000)
})
