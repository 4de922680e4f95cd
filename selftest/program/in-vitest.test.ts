import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import type { Report } from '../../engine/run/report.ts'
import setUp from '../../program/vitest-setup.ts'
import { lendService } from '../helpers/loans/lent-service.ts'
import { root } from '../kept.ts'
import { taskFaults as faults } from '../proofs/faults/reads.ts'
import { ofLong, openTestFolder } from '../test-end.ts'

const run = promisify(execFile)
const vitest = join(root, 'node_modules/vitest/vitest.mjs')
const inherited = { PATH: process.env.PATH, HOME: process.env.HOME, SEED: '1' }

type Ended = { status: string; message: string }

/** vitest's result and the report's verdict for each clause of the project, by id, and the exit code. */
async function runProject(env: Record<string, string>, ...flags: string[]) {
  const folder = openTestFolder()
  const file = join(folder, 'vitest.json')
  const reports = { REPORTS_DIR: join(folder, 'reports') }
  const args = ['run', '--project', 'contract', '--reporter=json', `--outputFile=${file}`, ...flags]
  const { code, stdout } = await run(process.execPath, [vitest, ...args], {
    cwd: root,
    env: { ...inherited, ...env, ...reports },
  }).then(
    ({ stdout }) => ({ code: 0, stdout }),
    ({ code, stdout }) => ({ code, stdout }),
  )
  const { testResults } = JSON.parse(readFileSync(file, 'utf8'))
  const ended = new Map<string, Ended>()
  for (const { title, status, failureMessages = [] } of testResults[0].assertionResults)
    ended.set(title, { status, message: failureMessages.join('\n') })
  const written = join(reports.REPORTS_DIR, 'report.json')
  const report: Report = existsSync(written)
    ? JSON.parse(readFileSync(written, 'utf8'))
    : { clauses: [] }
  const verdicts = new Map<string, string>(report.clauses.map(({ id, verdict }) => [id, verdict]))
  return { code, stdout, ended, verdicts }
}

/** A service that mixes up its tasks, and whose assessments are not up. */
async function lend() {
  const bent = faults.find(({ name }) => name === 'the task after the one that was asked for')
  const lent = await lendService({
    wrong: bent?.stated ?? {},
    between: async (request, next) =>
      request.url.includes('/assessments/') ? new Response(null, { status: 503 }) : next(request),
  })
  const { REPORTS_DIR: _, ...env } = lent.env
  return env
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
  test('end as the report of their run says', async () => {
    const { code, stdout, ended, verdicts } = await runProject(
      await lend(),
      '-t',
      'read.(success|identity)',
    )
    expect(stdout).toMatch(/^NONCONFORMANT: .* broken.*\n.*\n {2}exit code of the run: 1;/m)
    const chosen = [...ended].filter(([id]) => verdicts.has(id))
    for (const [id, { status, message }] of chosen) {
      const verdict = verdicts.get(id) ?? ''
      expect([id, status]).toEqual([id, statusOf[verdict]])
      expect(message.startsWith('inconclusive:')).toBe(verdict === 'inconclusive')
    }
    const met = new Set(verdicts.values())
    expect([code, met.has('fail'), met.has('inconclusive')]).toEqual([1, true, true])
  })

  ofLong('say why nothing was checked', async () => {
    const env = { BASE_URL: 'staging.example.com' }
    const { ended, code } = await runProject(env, '-t', 'task.read.success')
    expect(code).toBe(1)
    expect(ended.get('task.read.success')?.message).toContain('BASE_URL has no https://')
  })

  test('repeat on Enter what -t names, which Enter forgets', () => {
    let [named, rerun] = [/version/, () => {}]
    const vitest = {
      config: { watch: false },
      getGlobalTestNamePattern: () => named,
      setGlobalTestNamePattern: (pattern: RegExp) => (named = pattern),
    }
    const onTestsRerun = (act: () => void) => (rerun = act)
    setUp({ vitest, onTestsRerun, provide: () => {} } as never)
    for (const given of [named, /export/]) {
      named = given
      rerun()
      expect(named).toBe(given)
    }
  })

  test('are left out by a bare vitest', async () => {
    const { default: config } = await import('../../vitest.config.ts')
    expect(JSON.stringify(config)).not.toContain('contract.')
  })
})
