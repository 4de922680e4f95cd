import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const start = ['selftest/simulated/start.mjs', 'selftest/steady/main.ts', '--jobs', '1']

/** Runs the services with this name by these schedules, as the command does. */
const meet = (name: string, ...schedules: number[]) => {
  const chosen = schedules.flatMap((each) => ['--schedule', String(each)])
  const argv = [...start, '--only', name, ...chosen]
  const { status, stdout } = spawnSync(process.execPath, argv, { cwd: root, encoding: 'utf8' })
  return { status, stdout }
}

test('a lost update is condemned by any schedule', () => {
  const { status, stdout } = meet('another update can come between*', 3)
  expect(stdout).toContain('1 schedules, exits 1 (1)')
  expect(status, stdout).toBe(0)
})

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
