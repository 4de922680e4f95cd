import { expect, test } from 'vitest'
import { meet } from './meet.ts'

// Schedules that found our own defects, with the defect; a flip needs two.
test.each<[string, number[]]>([
  // Requests refused at the end of a second returned at the end of the next one, eight times.
  ['at most 50 requests a second', [4]],
  // The comment of a first attempt, 1.1.1, was found in that of a tenth, 1.1.10.
  ['reads lag by 150 ms', [24, 2]],
])('nothing is held against a lawful service again: %s, schedules %j', (name, schedules) => {
  const { status, stdout } = meet(name, ...schedules)
  expect(status, stdout).toBe(0)
})
