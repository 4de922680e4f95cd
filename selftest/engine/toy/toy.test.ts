import { randomUUID } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { reportOf } from '../../../engine/run/report-of.ts'
import { runClauses } from '../../../engine/run/run-clauses.ts'
import { parseTable, settingsOf } from '../../../engine/settings/table.ts'
import { listenTo } from '../../../reference/listen.ts'
import { makersOf } from '../../../reporting/all.ts'
import { contract, table } from './contract.ts'
import { toyService } from './service.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** Runs the lamps' clauses with the same code that runs those of the tasks. */
async function runToy(more: { heeds?: boolean; clauses?: string[]; reasons?: string[] } = {}) {
  const { app, lamps } = toyService({ key: 'secret', heeds: more.heeds })
  const { origin, close } = await listenTo(async (request) => app.fetch(request), {})
  closing.push(close)
  const env = { BASE_URL: origin, API_KEY: 'secret' }
  const { values, mistakes } = parseTable(table, env, { cwd: '.', secret: 'API_KEY' })
  expect(mistakes).toEqual([])
  const settings = settingsOf(table, values)
  const id = randomUUID()
  let requests = 0
  const { judged, errors, declared } = await runClauses(
    {
      id,
      entry: contract.entry,
      selection: { clauses: more.clauses ?? [], required: [] },
      provide: { toy: { id, settings } },
    },
    { collected() {}, started() {}, judged() {}, requested: (count) => (requests += count) },
    new AbortController().signal,
  )
  const report = reportOf({
    judged,
    errors,
    declared,
    contract,
    settings: { baseUrl: origin, embedded: false, seed: 1, strict: false, bodies: 'failed' },
    order: { require: [], waived: [] },
    reasons: more.reasons ?? [],
    notices: [],
    restored: 0,
    residue: [],
    startedAt: new Date(),
    durationMs: 1,
    requests,
    madeBy: { suiteVersion: '1' },
    interrupted: false,
  })
  return { report, lamps, made: makersOf(contract) }
}

const verdictsOf = ({ clauses }: { clauses: { id: string; verdict: string }[] }) =>
  Object.fromEntries(clauses.map(({ id, verdict }) => [id, verdict]))

test('a contract about lamps is run by the engine as it is', async () => {
  const { report, lamps, made } = await runToy()
  expect(verdictsOf(report)).toEqual({
    'lamp.read': 'pass',
    'lamp.unknown': 'pass',
    'lamp.switch': 'pass',
    'lamp.key': 'pass',
    'lamp.colour': 'observed',
  })
  expect(report.verdict).toBe('conformant')
  expect(report.requests).toBeGreaterThan(5)
  expect(lamps.get('desk')?.on).toBe(false)
  expect(JSON.stringify(report)).toContain('"x-lamp-key":"(configured)"')
  expect(JSON.stringify(report)).not.toContain('secret')
  expect(made['junit.xml']?.(report)).toContain('lamp.switch')
  const page = made['index.html']?.(report)
  for (const said of ['A lamp that is switched stays so.', 'Switch a lamp', 'Lamps last for years'])
    expect(page).toContain(said)
})

test('a run that ended before its time is not green, though every clause was decided', async () => {
  const { report } = await runToy({ reasons: ['internal error of the suite: bent'] })
  expect(report.verdict).toBe('inconclusive')
  expect(report.reasons).toEqual(['internal error of the suite: bent'])
})

test('a lamp that does not heed breaks the clause about it, and is left as it was', async () => {
  const { report, made } = await runToy({ heeds: false })
  const broken = report.clauses.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id)
  expect(broken).toEqual(['lamp.switch'])
  expect(report.verdict).toBe('nonconformant')
  const others = report.clauses.filter(({ verdict }) => verdict !== 'fail')
  expect(others.filter((each) => 'breaches' in each)).toEqual([])
  expect(made['junit.xml']?.(report)).toMatch(/<testcase[^>]*lamp\.switch[^>]*>\s*<failure/)
})

test('a glob that names no lamp stops the run', async () => {
  await expect(runToy({ clauses: ['task.*'] })).rejects.toThrow('task.* matches no clause')
})
