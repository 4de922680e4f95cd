import { expect, test } from 'vitest'
import { meet } from './meet.ts'

test('a lost update is condemned by any schedule', () => {
  const { status, stdout } = meet('another update can come between*', 3)
  expect(stdout).toContain('1 schedules, exits 1 (1)')
  expect(status, stdout).toBe(0)
})
