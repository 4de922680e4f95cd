import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { builtProgram, cleanEnv } from '../built.ts'
import { clause, reportWith } from '../reporting/sample-reports.ts'
import { openTestFolder } from '../test-end.ts'

const program = builtProgram()

/** A report with so many observations that a comparison fills more than a pipe of 64 kB. */
const reportOf = (host: string) => {
  const observed = [host, 'x'.repeat(100)]
  const ids = Array.from({ length: 1200 }, (_, at) => `task.read.number-${at}`)
  return reportWith(
    ids.map((id) => clause(id, { level: 'observe', verdict: 'observed', observed })),
    { target: { baseUrl: `https://${host}/v5`, embedded: false } },
  )
}

/** Compares two such reports in a shell line where the command is "$@". */
function runInShell(line: string, folder: string) {
  for (const name of ['real', 'mock'])
    writeFileSync(join(folder, `${name}.json`), JSON.stringify(reportOf(name)))
  const argv = ['-c', line, 'sh', process.execPath, program, 'compare', 'real.json', 'mock.json']
  const env = { ...cleanEnv(), REPORTS_DIR: join(folder, 'reports') }
  const child = spawn('sh', argv, { cwd: folder, env, timeout: 60_000 })
  const parts: Buffer[] = []
  child.stdout.on('data', (part) => parts.push(part))
  return new Promise<string>((resolve) =>
    child.on('close', () => resolve(Buffer.concat(parts).toString())),
  )
}

describe.concurrent('what a command prints', () => {
  test('comes whole through a pipe that is read slowly', async () => {
    const folder = openTestFolder()
    await runInShell('"$@" > whole', folder)
    const whole = readFileSync(join(folder, 'whole'), 'utf8')
    expect(whole.length).toBeGreaterThan(65_536)
    // The first byte is read at once, the others after a process that did not wait would have
    // ended.
    const piped = await runInShell('"$@" | { head -c 1; sleep 2; cat; }', folder)
    expect(piped.length).toBe(whole.length)
    expect(piped === whole).toBe(true)
  })

  test('need not be read to its end', async () => {
    const folder = openTestFolder()
    await runInShell('{ "$@" 2> errors; echo $? > code; } | head -n 1 > first', folder)
    const [errors, code] = ['errors', 'code'].map((name) =>
      readFileSync(join(folder, name), 'utf8'),
    )
    expect({ errors, code }).toEqual({ errors: '', code: '0\n' })
  })
})
