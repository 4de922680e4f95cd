import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { builtProgram } from '../built.ts'
import { cleanEnv } from '../clean-env.ts'
import { openTestFolder } from '../test-end.ts'

const program = builtProgram()

/** Runs `clauses --forms`, which prints more than the 64 kB of a pipe, in a line of a shell where it is "$@". */
function runInShell(line: string, folder: string) {
  const argv = ['-c', line, 'sh', process.execPath, program, 'clauses', '--forms']
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
    // The first byte is taken at once, the others after a process that did not wait would have ended.
    const piped = await runInShell('"$@" | { head -c 1; sleep 2; cat; }', folder)
    expect(piped.length).toBe(whole.length)
    expect(piped === whole).toBe(true)
  })

  test.each(['head -n 1 > first', 'true'])('need not be read to its end: | %s', async (reader) => {
    const folder = openTestFolder()
    await runInShell(`{ "$@" 2> errors; echo $? > code; } | ${reader}`, folder)
    const [errors, code] = ['errors', 'code'].map((name) =>
      readFileSync(join(folder, name), 'utf8'),
    )
    expect({ errors, code }).toEqual({ errors: '', code: '0\n' })
  })
})
