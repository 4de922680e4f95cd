import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { compareReports } from '../../program/compare.ts'
import { createOutputGate } from '../../program/report/output-gate.ts'
import { builtProgram, cleanEnv } from '../built.ts'
import { observing, reportWith } from '../reporting/sample-reports.ts'
import { openTestFolder } from '../test-end.ts'

const program = builtProgram()

/** A report with so many observations that a comparison fills more than a pipe of 64 kB. */
const reportOf = (host: string) => {
  const observed = [host, 'x'.repeat(100)]
  const ids = Array.from({ length: 1200 }, (_, at) => `task.read.number-${at}`)
  return reportWith(
    ids.map((id) => observing(id, observed)),
    { target: { baseUrl: `https://${host}/v5`, embedded: false } },
  )
}

const argv = ['real.json', 'mock.json']

/** Compares two such reports in a shell line where the command is "$@". */
function runInShell(line: string, folder: string) {
  for (const name of ['real', 'mock'])
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(reportOf(name)))
  const env = { ...cleanEnv(), REPORTS_DIR: join(folder, 'reports') }
  const command = [process.execPath, program, 'compare', ...argv]
  return promisify(execFile)('sh', ['-c', line, 'sh', ...command], { cwd: folder, env })
}

describe.concurrent('what a command prints', () => {
  test('comes whole through a pipe that is read slowly', async () => {
    const folder = openTestFolder()
    // The first byte is read at once, the others after a process that did not wait would have
    // ended.
    const { stdout } = await runInShell('"$@" | { head -c 1; sleep 2; cat; }', folder)
    let whole = ''
    const out = { write: (text: string) => (whole += text) }
    await compareReports({ argv, env: {}, cwd: folder, out })
    expect(whole.length).toBeGreaterThan(65_536)
    expect(stdout === whole, `${stdout.length} of ${whole.length}`).toBe(true)
  })

  test('need not be read to its end', async () => {
    const folder = openTestFolder()
    await runInShell('{ "$@" 2> errors; echo $? > code; } | head -n 1 > first', folder)
    const written = ['errors', 'code'].map((name) => readFileSync(join(folder, name), 'utf8'))
    expect(written).toEqual(['', '0\n'])
  })
})

test('a key that equals a part of a clause id is removed everywhere but in the id', () => {
  const gate = createOutputGate(['wrong'])
  const value = { id: 'auth.wrong-region', reason: 'the key is wrong, as in auth.wrong-region.' }
  expect(gate.value(value)).toEqual({
    id: 'auth.wrong-region',
    reason: 'the key is (configured), as in auth.wrong-region.',
  })
})
