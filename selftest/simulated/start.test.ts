import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')

test('an unknown name of a proof is a mistake', () => {
  const argv = [
    join(import.meta.dirname, 'start.mjs'),
    'selftest/proofs/main.ts',
    '--only',
    'nothing',
  ]
  expect(spawnSync(process.execPath, argv, { cwd: root }).status).toBe(2)
})
