import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { makeWorld } from '../../reference/world/world.ts'
import { listening } from '../engine/http/servers.ts'
import { runAgainst, runProgram } from '../proofs/prove.ts'
import { openTestFolder } from '../test-end.ts'
import { runOnTheWire } from './counted-run.ts'

/** The figure of a row of the plan. */
const figureIn = (text: string, row: string): number => {
  const [, figure = ''] = new RegExp(`^ {4}${row} +([\\d,]+)`, 'm').exec(text) ?? []
  return Number(figure.replaceAll(',', '') || Number.NaN)
}

const oneTask = { TASK_IDS: makeWorld(1).tasks[0]?.id ?? '', READ_TASK_IDS: undefined }

describe('--plan against a service', () => {
  test.each([
    ['every task that the world has', {}],
    ['one task', oneTask],
    ['one user and no team', { USER_IDS: makeWorld(1).users[1]?.id ?? '', TEAM_IDS: undefined }],
    [
      'nothing but the key',
      { ...oneTask, TASK_IDS: undefined, ASSESSMENT_IDS: undefined, ACTOR_ID: undefined },
    ],
  ])(
    'agrees with what the run then does: %s',
    async (_, env: Record<string, string | undefined>) => {
      // The whole once: what is left out here costs nothing but reads.
      const chosen = Object.keys(env).length === 0 ? [] : ['--clauses', 'task.*,assign.*,version.*']
      const plan = await runOnTheWire(['--plan', '--verbose', ...chosen], env)
      const run = await runOnTheWire(chosen, env)
      expect(plan.exitCode).toBe(0)
      expect(run.exitCode, run.output).toBe(0)

      const { wire } = run
      expect(Math.abs(figureIn(plan.output, 'requests') / wire.requests - 1)).toBeLessThanOrEqual(
        0.1,
      )
      // A task that happens to be assigned to the only user has to be unassigned first; and on how many
      // tasks a refused update comes last, and one more has to follow, is decided anew in every run.
      const slack = env.USER_IDS ? 6 : 3
      const updates = figureIn(plan.output, 'assignment updates')
      expect(Math.abs(updates - wire.acceptedPuts), plan.output).toBeLessThanOrEqual(slack)
      expect(figureIn(plan.output, 'audit events')).toBe(updates)
      expect(Math.abs(figureIn(plan.output, 'mails') - wire.mails)).toBeLessThanOrEqual(slack)
      // How often rivals on one task are refused is decided anew in every race.
      const sent = Number(/accepted of (\d+) sent/.exec(plan.output)?.[1] ?? 0)
      expect(Math.abs(sent - (wire.methods.PUT ?? 0))).toBeLessThanOrEqual(0.15 * sent)

      const skipped = run.report?.clauses.filter(({ verdict }) => verdict === 'skip') ?? []
      const planned = [...plan.output.matchAll(/^ {2}skip {2}(\S+)/gm)].map(([, id]) => id)
      expect(planned).toEqual(skipped.map(({ id }) => id))
      for (const { reason = '' } of skipped) expect(plan.output).toContain(reason)
      expect(plan.output).toMatch(/^ {4}time: about \d+ s where updates and exports/m)
      expect(plan.output.includes(makeWorld(1).apiKey)).toBe(false)
    },
  )

  test('sends the service a few reads and no more, and writes nothing down', async () => {
    const folder = openTestFolder()
    const env = { REPORTS_DIR: join(folder, 'reports'), JOURNAL_DIR: join(folder, 'journal') }
    const { wire, output, report } = await runOnTheWire(['--plan'], env)
    expect(wire.methods).toEqual({ GET: 24 })
    expect(output).toContain('made from 24 reads of it')
    expect(report).toBeUndefined()
    expect(existsSync(folder) && readdirSync(folder)).toEqual([])
  })

  test('sends nothing to another region and nothing through a proxy', async () => {
    let asked = 0
    const elsewhere = createServer((_, response) => {
      asked += 1
      response.writeHead(401).end()
    }).on('connection', () => {
      asked += 1
    })
    const url = `http://127.0.0.1:${await listening(elsewhere)}`
    const { output } = await runOnTheWire(['--plan', '--verbose', '--clauses', 'auth.*'], {
      WRONG_REGION_URL: url,
      OUTSIDE_PROXY_URL: url,
      MAILBOX_URL: url,
    })
    expect(output).toMatch(/^ {2}run +auth\.wrong-region {2}1 request/m)
    expect(output).toMatch(/^ {2}run +auth\.ip-allow-list {2}1 request/m)
    expect(output).toContain('and 2 requests to another region or through a proxy')
    expect(asked).toBe(0)
  })

  test('tells what a bound on updates would lose', async () => {
    const { output } = await runOnTheWire(['--plan', '--clauses', 'auth.*'], { MAX_WRITES: '0' })
    expect(output).toContain('MAX_WRITES=0 is reached: no further update is sent')
    expect(output).toMatch(/would be inconclusive +[1-9]\d* of/)
  })

  test('counts no update under --read-only', async () => {
    const plan = await runOnTheWire(['--plan', '--read-only'])
    expect(figureIn(plan.output, 'assignment updates')).toBe(0)
    expect(plan.output).toContain('READ_ONLY is set')
  })
})

describe('--plan without a service', () => {
  test('says what docs/cost-and-speed.md says', async () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/cost-and-speed.md'), 'utf8')
    const { output } = await runProgram({}, ['--plan', '--seed', '1'])
    for (const row of ['requests', 'assignment updates', 'mails']) {
      const shown = figureIn(page.replaceAll('about ', ''), row)
      expect(Math.abs(figureIn(output, row) / shown - 1), row).toBeLessThanOrEqual(0.05)
    }
  })

  test('agrees with the run on the embedded one', async () => {
    const clauses = ['--clauses', 'auth.*,task.*']
    const plan = await runAgainst({}, ['--plan', ...clauses])
    const { report } = await runAgainst({}, clauses)
    expect(plan.exitCode).toBe(0)
    expect(plan.output).toContain('EMBEDDED REFERENCE SERVICE')
    expect(plan.output).toMatch(/^rehearsing on a stand-in: \d+ clauses$/m)
    const requests = report?.requests ?? 0
    expect(Math.abs(figureIn(plan.output, 'requests') / requests - 1)).toBeLessThanOrEqual(0.1)
  })

  test('is no plan where a glob matches nothing or the service is not there', async () => {
    await expect(runAgainst({}, ['--plan', '--clauses', 'tsak.*'])).rejects.toThrow(
      'tsak.* matches no clause',
    )
    const nowhere = { BASE_URL: 'http://127.0.0.1:9/v5', API_KEY: 'a-key-that-is-long-enough' }
    await expect(runProgram(nowhere, ['--plan'])).rejects.toThrow('cannot be reached')
  })
})
