import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { builtProgram } from '../built.ts'
import { clause, reportWith } from '../reporting/sample-reports.ts'
import { openWorkerFolder } from '../test-end.ts'
import { skipWithout } from '../worker-folders.ts'

const place = openWorkerFolder()

const example = join(import.meta.dirname, '../../docs/examples/front-end.test.mjs')
const seen = (id: string, observed: unknown) =>
  clause(id, { level: 'observe', verdict: 'observed', observed })

/**
 * Keeps the report of a service that answers updates with 202, and the world of its mock, as the page
 * describes.
 */
async function keepMock(program: string) {
  const observed = { update: [202], unassign: [200] }
  mkdirSync(join(place, 'contract'))
  const report = reportWith([seen('assign.success-status', observed)])
  writeFileSync(join(place, 'contract/report.json'), JSON.stringify(report))
  const flags = ['--port', '0', '--like', 'contract/report.json']
  const child = spawn(process.execPath, [program, 'serve', ...flags], { cwd: place })
  const [line = ''] = String((await once(child.stdout, 'data'))[0]).split('\n')
  const world = await fetch(new URL('/__world', line.replace('BASE_URL=', '')))
  writeFileSync(join(place, 'contract/world.json'), await world.text())
  child.kill('SIGTERM')
  expect((await once(child, 'exit'))[0]).toBe(0)
}

const hasNoShell = skipWithout(process.platform !== 'win32', 'docs/mocks.md, for want of sh')
describe.skipIf(hasNoShell)('docs/mocks.md', () => {
  test('shows a test of a front end that passes', { timeout: 120_000 }, async () => {
    const program = builtProgram()
    await keepMock(program)
    const bin = join(place, 'node_modules/.bin')
    mkdirSync(bin, { recursive: true })
    const start = `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`
    writeFileSync(join(bin, 'task-assignment-contract'), start, { mode: 0o755 })
    copyFileSync(example, join(place, 'front-end.test.mjs'))
    const env = { ...process.env, NODE_TEST_CONTEXT: undefined, NODE_OPTIONS: '' }
    const run = promisify(execFile)
    const { stdout } = await run(process.execPath, ['--test'], { cwd: place, env })
    expect(stdout).toMatch(/pass 1\b/)
    expect(stdout).toMatch(/fail 0\b/)
  })
})
