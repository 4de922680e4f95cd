import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { builtProgram } from '../built.ts'
import { observing, reportWith } from '../reporting/sample-reports.ts'
import { serveIn } from '../served.ts'
import { openWorkerFolder } from '../test-end.ts'
import { skipWithout } from '../worker-folders.ts'

const place = openWorkerFolder()

const example = join(import.meta.dirname, '../../docs/examples/front-end.test.mjs')

/**
 * Keeps the report of a service that answers updates with 202, and the world of its mock, as the page
 * describes.
 */
async function keepMock() {
  const observed = { update: [202], unassign: [200] }
  mkdirSync(join(place, 'contract'))
  const report = reportWith([observing('assign.success-status', observed)])
  writeFileSync(join(place, 'contract/report.json'), JSON.stringify(report))
  const { child, env } = await serveIn(place, '--like', 'contract/report.json')
  const world = await fetch(new URL('/__world', env.BASE_URL))
  writeFileSync(join(place, 'contract/world.json'), await world.text())
  child.kill('SIGTERM')
  expect((await once(child, 'exit'))[0]).toBe(0)
}

const hasNoShell = skipWithout(process.platform !== 'win32', 'docs/mocks.md, for want of sh')
test.skipIf(hasNoShell)('docs/mocks.md shows a test of a front end that passes', async () => {
  const program = builtProgram()
  await keepMock()
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
