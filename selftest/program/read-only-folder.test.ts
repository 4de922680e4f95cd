import { execFileSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'read-only-'))
afterAll(() => {
  execFileSync('chmod', ['-R', 'u+w', folder])
  rmSync(folder, { recursive: true })
})

/** Root writes wherever it likes, so it hands the run to somebody else. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {}

test('a run writes to its reports, its journal and the temporary folder alone', () => {
  const suite = join(folder, 'suite')
  const writable = join(folder, 'writable')
  for (const dir of [suite, writable]) mkdirSync(dir)
  chmodSync(folder, 0o755)
  if (nobody.uid) chownSync(writable, nobody.uid, nobody.gid)
  const parts = 'contract.ts package.json engine helpers program reference reporting schemas suites'
  const copy = (option: string, name: string) =>
    execFileSync('cp', [option, join(root, name), suite])
  for (const name of parts.split(' ')) copy('-a', name)
  // Links instead of 200 MB: nobody writes through them.
  copy('-al', 'node_modules')
  rmSync(join(suite, 'node_modules/.cache'), { recursive: true, force: true })
  execFileSync('find', [suite, '-type', 'd', '-exec', 'chmod', 'a-w', '{}', '+'])

  const output = execFileSync(
    process.execPath,
    ['--import', 'tsx', 'contract.ts', 'check', '--clauses', 'auth.missing-key.*'],
    {
      cwd: suite,
      ...nobody,
      env: {
        PATH: process.env.PATH,
        HOME: '/nonexistent',
        TMPDIR: writable,
        REPORTS_DIR: join(writable, 'reports'),
        JOURNAL_DIR: join(writable, 'journal'),
      },
    },
  )
  expect(String(output)).toContain('CONFORMANT')
  expect(readdirSync(join(writable, 'reports'))).toContain('report.json')
})
