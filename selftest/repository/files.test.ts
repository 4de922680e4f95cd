import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
})
  .toString()
  .split('\n')
  .filter((file) => /\.ts$/.test(file))
const read = (file: string) => readFileSync(join(root, file), 'utf8')

test('reference/ imports nothing of the suites or of what they stand on', () => {
  const close = files.filter(
    (file) =>
      file.startsWith('reference/') && /from '\.\.\/(suites|helpers|program)/.test(read(file)),
  )
  expect(close, 'the service would agree with the suite by construction').toEqual([])
})

test('files of the product stay under 260 lines', () => {
  const long = files
    .filter((file) => !file.startsWith('selftest/') && file !== 'helpers/contract.ts')
    .filter((file) => read(file).split('\n').length > 260)
  expect(long, 'does each still hold one thing?').toEqual([])
})

test('suites condemn by expect alone', () => {
  const throwing = files.filter((file) => /^suites\//.test(file) && /new Breach/.test(read(file)))
  expect(throwing).toEqual([])
})
