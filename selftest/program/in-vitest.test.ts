import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import type { Report } from '../../engine/run/report.ts'
import { contractTests } from '../../program/contract-tests.ts'
import setUp from '../../program/vitest-setup.ts'
import { type Lent, lendService } from '../helpers/loans/lent-service.ts'
import { root } from '../kept.ts'
import { taskFaults as faults } from '../proofs/faults/reads.ts'
import { ofLong, openTestFolder } from '../test-end.ts'

type Body = (context: object) => Promise<unknown>

/** How each test whose name has this form ends, and what it says, as vitest runs them. */
async function endsOf({ env, place }: Lent, form: RegExp, flags: string[]) {
  const bodies = new Map<string, Body>()
  const register = (name: string, _: object, body: Body) => void bodies.set(name, body)
  const { BASE_URL: baseUrl = '', API_KEY: apiKey = '', ...settings } = { ...env }
  const choice = { flags, reportsDir: join(place, 'reports') }
  await contractTests(register, async () => ({ baseUrl, apiKey, settings }), choice)
  const chosen = [...bodies].filter(([name]) => form.test(name))
  const file = { tasks: chosen.map(([name]) => ({ name, mode: 'run' })) }
  const skip = () => {
    throw new Error('skipped')
  }
  const context = { task: { file }, signal: new AbortController().signal, skip, annotate: () => {} }
  const ended = chosen.map(async ([, body]) => {
    const error: Error | undefined = await body(context).then(() => undefined, Object)
    return error?.message ?? 'passed'
  })
  const said = await Promise.all(ended)
  return new Map(chosen.map(([name], at) => [name, said[at] ?? '']))
}

const endOf = { pass: /^passed/, observed: /^passed/, warn: /^passed/, skip: /^skipped/ }
const failed = { fail: /^(?!passed|skipped|inconclusive:)/, inconclusive: /^inconclusive:/ }

describe('the clauses as tests of vitest', () => {
  test('end as the report of their run says', async () => {
    const mixesUpTasks = faults.find(
      ({ name }) => name === 'the task after the one that was asked for',
    )
    const lent = await lendService({
      wrong: mixesUpTasks?.stated ?? {},
      // Assessments are not up.
      between: async (request, next) =>
        request.url.includes('/assessments/') ? new Response(null, { status: 503 }) : next(request),
    })
    const dir = openTestFolder()
    const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    const ends = await endsOf(lent, /read.(success|identity)/, ['--record', dir])
    const printed = write.mock.calls.join('')
    write.mockRestore()
    expect(printed).toMatch(/^NONCONFORMANT: .* broken.*\n.*\n {2}exit code of the run: 1;/m)
    const { clauses }: Report = lent.report()
    const met = clauses.filter(({ id }) => ends.has(id))
    for (const { id, verdict } of met)
      expect(ends.get(id)).toMatch({ ...endOf, ...failed }[verdict])
    const verdicts = met.map(({ verdict }) => verdict)
    expect(verdicts).toEqual(expect.arrayContaining(['fail', 'inconclusive']))
    expect(met.length).toBe(ends.size)
    expect(readdirSync(dir)).toContain('record.json')
  })

  ofLong('run in a vitest of their own, and say why nothing was checked', () => {
    const { PATH, HOME } = process.env
    const vitest = join(root, 'node_modules/vitest/vitest.mjs')
    const argv = [vitest, 'run', '--project', 'contract', '-t', 'task.read.success']
    for (const [BASE_URL, code, says] of [
      [undefined, 0, 'CONFORMANT: 1 of 1 must of --clauses task.read.success'],
      ['staging.example.com', 1, 'BASE_URL has no https://'],
    ] as const) {
      const env = { PATH, HOME, SEED: '1', BASE_URL, REPORTS_DIR: openTestFolder() }
      const { status, stdout, stderr } = spawnSync(process.execPath, argv, { cwd: root, env })
      expect(`${stdout}${stderr}`).toContain(says)
      expect(status).toBe(code)
    }
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
