import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parse } from 'dotenv'
import { describe, expect, test } from 'vitest'
import { serve } from '../../program/serve.ts'
import { builtProgram } from '../built.ts'
import { brokenIn, runProgram } from '../proofs/prove.ts'
import { atTestEnd } from '../test-end.ts'

const root = join(import.meta.dirname, '../..')

/** Starts `serve`, and reads what it prints until it says that it is there. */
async function served(...flags: string[]): Promise<Record<string, string>> {
  const args = [builtProgram(), 'serve', ...flags]
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
  atTestEnd(() => child.kill())
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('#')) break
    lines.push(line)
  }
  const settings = parse(lines.join('\n'))
  expect(readByShell(lines, Object.keys(settings))).toEqual(Object.values(settings))
  return settings
}

/** The values that a shell has of these names once it has read the lines. */
function readByShell(lines: string[], names: string[]): string[] {
  const echo = names.map((name) => `printf '%s\\n' "$${name}"`)
  const said = execFileSync('sh', ['-c', [...lines, ...echo].join('\n')], { encoding: 'utf8' })
  return said.trimEnd().split('\n')
}

describe('serve', () => {
  test('prints the settings of a run to which nothing is missing, the mailbox with them', async () => {
    const settings = await served('--port', '0', '--seed', '3')
    const checked = await runProgram(settings, ['--clauses', 'auth.missing-key.*,task.*,notify.*'])
    expect(checked.exitCode, checked.output).toBe(0)
    expect(brokenIn(checked)).toEqual([])
    expect(checked.output).not.toContain('not checked')
  })

  test.each([
    [['--seed', '-1'], {}, "--seed holds '-1'; give a whole number from 0 to 4294967295."],
    [[], { PORT: 'x' }, "PORT holds 'x'; give a whole number from 0 to 65534."],
    [['--port', '1', '--port=2'], {}, '--port is given twice, with 1 and with 2; give it once.'],
    [['--sed', '1'], {}, 'unknown flag --sed; did you mean --seed?'],
    [['--seed'], {}, '--seed needs a value; write --seed N.'],
    [['4010'], {}, "unexpected argument '4010'; npm run serve -- --help lists the flags."],
    [
      ['4010'],
      { npm_config_port: 'true' },
      'npm kept --port for itself; write: npm run serve -- --port 4010',
    ],
  ])('%j is a mistake', async (argv, env, sentence) => {
    await expect(serve({ argv, env, cwd: root, out: { write: () => true } })).rejects.toThrow(
      sentence,
    )
  })

  test('says which port is taken', async () => {
    const { BASE_URL = '' } = await served('--port', '0')
    const { port } = new URL(BASE_URL)
    const args = [builtProgram(), 'serve', '--port', port]
    const second = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] })
    const ended = once(second, 'exit')
    const output = await second.stderr.toArray()
    expect(output.join('')).toContain(`port ${port} cannot be used (EADDRINUSE)`)
    expect(await ended).toEqual([2, null])
  })
})
