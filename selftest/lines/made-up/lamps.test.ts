import { expect, test } from 'vitest'
import { countBright, nextPower } from './lamps.ts'

// Nobody tries a lamp that is just bright enough, and nobody asks for a greeting.
test('bright lamps are counted', () => {
  expect(countBright([5, 20, 30])).toBe(2)
})

test('the next power of two is found', () => {
  expect(nextPower(1)).toBe(1)
  expect(nextPower(5)).toBe(8)
})
