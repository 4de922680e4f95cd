import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const start = ['selftest/prove/start.mjs', 'steady', '--jobs', '1']

/** Runs the services with this name by these schedules, as the command does. */
const meet = (name: string, ...schedules: number[]) => {
  const chosen = schedules.flatMap((each) => ['--seed', String(each)])
  const argv = [...start, '--only', name, ...chosen]
  const { status, stdout } = spawnSync(process.execPath, argv, { cwd: root, encoding: 'utf8' })
  return { status, stdout }
}

test('a lost update is condemned', () => {
  const { status, stdout } = meet('another update can come between*', 3)
  expect(stdout).toContain('1 schedules, exits 1 (1)')
  expect(status, stdout).toBe(0)
})

test.each<[string, number[]]>([
  ['at most 50 requests a second', [4]],
  ['reads lag by 150 ms', [24, 2]],
])(
  'a lawful service is not condemned, and no clause flips: %s, schedules %j',
  (name, schedules) => {
    const { status, stdout } = meet(name, ...schedules)
    expect(status, stdout).toBe(0)
  },
)
