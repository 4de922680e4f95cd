import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const prove = (...argv: string[]) => {
  const start = [join(import.meta.dirname, 'start.mjs'), 'selftest/proofs/main.ts', '--jobs', '1']
  const { status, stdout } = spawnSync(process.execPath, [...start, ...argv], {
    cwd: root,
    encoding: 'utf8',
  })
  return { status, stdout }
}

test('proofs of one process are green whichever of several answers comes first', () => {
  const fault = 'another update can come between comparing the version and storing the change'
  for (const schedule of ['1', '2']) {
    const { status, stdout } = prove('--only', fault, '--schedule', schedule)
    expect(stdout).toContain('1 faults condemned')
    expect(status, stdout).toBe(0)
  }
})

test('a name that no proof has is a mistake', () => {
  expect(prove('--only', 'nothing').status).toBe(2)
})
