import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { environmentFor } from '../../program/stand-in/settings-for.ts'
import { listen } from '../../reference/listen.ts'
import { stated } from '../../reference/rules/stated.ts'
import { createService } from '../../reference/service.ts'
import { makeWorld } from '../../reference/world/world.ts'
import { root } from '../kept.ts'
import { faults } from '../proofs/faults/task.ts'
import { runProgram } from '../proofs/prove.ts'
import { openTestFolder, untilTestEnd } from '../test-end.ts'

const run = promisify(execFile)
const vitest = join(root, 'node_modules/vitest/vitest.mjs')
const inherited = { PATH: process.env.PATH, HOME: process.env.HOME }

type Ended = { status: string; message: string }

/** What vitest says of each clause of the project, by its id, and how it ends. */
async function runProject(env: Record<string, string>, ...flags: string[]) {
  const folder = openTestFolder()
  const file = join(folder, 'vitest.json')
  const reports = { REPORTS_DIR: join(folder, 'reports') }
  const args = ['run', '--project', 'contract', '--reporter=json', `--outputFile=${file}`, ...flags]
  const code = await run(process.execPath, [vitest, ...args], {
    cwd: root,
    env: { ...inherited, ...env, ...reports },
  }).then(
    () => 0,
    (error) => error.code,
  )
  const { testResults } = JSON.parse(readFileSync(file, 'utf8'))
  const ended = new Map<string, Ended>()
  for (const { title, status, failureMessages = [] } of testResults[0].assertionResults)
    ended.set(title, { status, message: failureMessages.join('\n') })
  return { code, ended, message: testResults[0].message as string }
}

async function lend(fault?: (typeof faults)[number]) {
  const service = createService({
    world: makeWorld(1),
    stated: { ...stated, ...fault?.stated },
  })
  const { baseUrl } = untilTestEnd(await listen(service))
  return { BASE_URL: baseUrl, ...environmentFor(service), SEED: '1' }
}

const statusOf: Record<string, string> = {
  pass: 'passed',
  observed: 'passed',
  warn: 'passed',
  fail: 'failed',
  inconclusive: 'failed',
  skip: 'skipped',
}

describe('the clauses as tests of vitest', () => {
  const named = (name: string) => faults.find((each) => each.name === name)
  test.each([
    ['the reference service', undefined],
    ['a known task is answered 500', named('a known task is answered 500')],
  ])('end as npm run contract ends on %s', async (_, fault) => {
    const env = await lend(fault)
    const { ended, code } = await runProject(env, '-t', 'task.read')
    const chosen = [...ended].filter(([id]) => id.includes('task.read')).map(([id]) => id)
    const { report, exitCode } = await runProgram(env, ['--clauses', chosen.join()])
    expect(chosen.length).toBeGreaterThan(20)
    for (const { id, verdict } of report?.clauses ?? [])
      if (chosen.includes(id)) expect([id, ended.get(id)?.status]).toEqual([id, statusOf[verdict]])
    expect(code).toBe(exitCode === 0 ? 0 : 1)
  })

  test('are left out by a bare vitest', async () => {
    const { stdout } = await run(process.execPath, [vitest, 'list', '--filesOnly'], { cwd: root })
    expect(stdout).toContain('in-vitest.test.ts')
    expect(stdout).not.toContain('contract.vitest.ts')
  })

  test('say why nothing was checked', async () => {
    const { ended, code } = await runProject(
      { BASE_URL: 'staging.example.com' },
      '-t',
      'task.read.success',
    )
    expect(code).toBe(1)
    expect(ended.get('task.read.success')?.message).toContain('BASE_URL has no https://')
  })
})
