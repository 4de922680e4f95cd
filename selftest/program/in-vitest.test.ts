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
import { faults } from '../proofs/faults/assessment.ts'
import { runProgram } from '../proofs/prove.ts'
import { openTestFolder, untilTestEnd } from '../test-end.ts'

const run = promisify(execFile)
const vitest = join(root, 'node_modules/vitest/vitest.mjs')
const inherited = { PATH: process.env.PATH, HOME: process.env.HOME }

type Ended = { status: string; message: string }

/** vitest's result for each clause of the project, by id, and its exit code. */
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

type Lent = { fault?: string; status?: number }

/** Starts a service with one fault of assessments, or with one status for all reads of them. */
async function lend({ fault, status }: Lent) {
  const bent = faults.find(({ name }) => name === fault)?.stated
  const service = createService({ world: makeWorld(1), stated: { ...stated, ...bent } })
  const fetch = async (request: Request) =>
    status !== undefined && request.url.includes('/assessments/')
      ? new Response(null, { status })
      : service.fetch(request)
  const { baseUrl } = untilTestEnd(await listen({ ...service, fetch }))
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
  test.each<[service: string, lent: Lent, verdict: string, exitCode: number]>([
    ['that fails', { fault: 'a known assessment is answered 500' }, 'fail', 1],
    ['that is not up in part', { status: 503 }, 'inconclusive', 3],
  ])('end as npm run contract ends on a service %s', async (_, lent, wanted, code) => {
    const env = await lend(lent)
    const project = await runProject(env, '-t', 'assessment.read')
    const chosen = [...project.ended].filter(([id]) => id.includes('assessment.read'))
    const { report, exitCode } = await runProgram(env, [
      '--clauses',
      chosen.map(([id]) => id).join(),
    ])
    const verdicts = new Map(report?.clauses.map(({ id, verdict }) => [id, verdict]))
    for (const [id, { status }] of chosen)
      expect([id, status]).toEqual([id, statusOf[verdicts.get(id) ?? '']])
    expect(chosen.length).toBeGreaterThan(20)
    expect([...verdicts.values()]).toContain(wanted)
    expect([exitCode, project.code]).toEqual([code, Math.min(code, 1)])
    for (const [id, { message }] of chosen)
      expect(message.startsWith('inconclusive:')).toBe(verdicts.get(id) === 'inconclusive')
  })

  test('say why nothing was checked, and are left out by a bare vitest', async () => {
    const env = { BASE_URL: 'staging.example.com' }
    const { ended, code } = await runProject(env, '-t', 'task.read.success')
    expect(code).toBe(1)
    expect(ended.get('task.read.success')?.message).toContain('BASE_URL has no https://')
    const { stdout } = await run(process.execPath, [vitest, 'list', '--filesOnly'], { cwd: root })
    expect(stdout).toContain('in-vitest.test.ts')
    expect(stdout).not.toContain('contract.vitest.ts')
  })
})
