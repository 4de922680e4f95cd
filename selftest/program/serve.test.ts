import { execFileSync, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { parse } from 'dotenv'
import { describe, expect, test } from 'vitest'
import { createResettable } from '../../program/stand-in/kept-state.ts'
import { createService } from '../../reference/service.ts'
import { makeWorld } from '../../reference/world/world.ts'
import { builtProgram } from '../built.ts'
import { brokenIn, runProgram } from '../proofs/prove.ts'
import { atTestEnd, openTestFolder } from '../test-end.ts'

const root = join(import.meta.dirname, '../..')

/** Starts `serve`, and reads its output until it is ready. */
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

function readByShell(lines: string[], names: string[]): string[] {
  const echo = names.map((name) => `printf '%s\\n' "$${name}"`)
  const said = execFileSync('sh', ['-c', [...lines, ...echo].join('\n')], { encoding: 'utf8' })
  return said.trimEnd().split('\n')
}

describe('serve', () => {
  test('prints complete settings of a run, with a mailbox, for the world of a file', async () => {
    const service = createService({ world: makeWorld(3, { events: 1_200 }) })
    const request = new Request('http://127.0.0.1/__world')
    const world = await createResettable(() => service).fetch(request, '127.0.0.1')
    const file = join(openTestFolder(), 'world.json')
    writeFileSync(file, await world.text())
    const settings = await served('--port', '0', '--world', file)
    expect(settings.TASK_IDS).toContain(service.world.tasks[0]?.id)
    const checked = await runProgram(settings, ['--clauses', 'auth.missing-key.*,task.*,notify.*'])
    expect(checked.exitCode, checked.output).toBe(0)
    expect(brokenIn(checked)).toEqual([])
    expect(checked.output).not.toContain('not checked')
  })
})
