import { expect, test } from 'vitest'
import { meet } from './meet.ts'

// Schedules that found a mistake of ours, and what it was; a flip needs two.
test.each<[string, number[]]>([
  // Who was refused at the end of a second came back at the end of the next one, eight times.
  ['at most 50 requests a second', [4]],
  // The comment of a first attempt, 1.1.1, was found in that of a tenth, 1.1.10.
  ['reads lag by 150 ms', [24, 2]],
])('nothing is held against a lawful service again: %s, schedules %j', (name, schedules) => {
  const { status, stdout } = meet(name, ...schedules)
  expect(status, stdout).toBe(0)
})
