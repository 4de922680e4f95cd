import { randomUUID } from 'node:crypto'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { reportOf } from '../../../engine/run/report-of.ts'
import { runClauses } from '../../../engine/run/run-clauses.ts'
import { parseTable, settingsOf } from '../../../engine/settings/table.ts'
import { listenTo } from '../../../reference/listen.ts'
import { makersOf } from '../../../reporting/all.ts'
import { untilTestEnd } from '../../test-end.ts'
import { contract, table } from './contract.ts'

type Lamp = { on: boolean; colour: string }

/** A service of two routes without any task: a lamp can be read and switched. */
function toyService(key: string, heeds: boolean) {
  const lamps = new Map<string, Lamp>([['desk', { on: false, colour: 'warm' }]])
  const app = new Hono()
  app.use(async (request, next) =>
    request.req.header('x-lamp-key') === key ? next() : request.json({ error: 'key' }, 401),
  )
  app.all('/lamps/:name', async (request) => {
    const name = request.req.param('name')
    const lamp = lamps.get(name)
    if (!lamp) return request.json({ error: 'lamp' }, 404)
    const changed = request.req.method === 'PUT' ? { on: (await request.req.json()).on } : {}
    // A faulty lamp says that it was switched, and was not.
    if (heeds) lamps.set(name, { ...lamp, ...changed })
    return request.json({ ...lamp, ...changed })
  })
  return { app, lamps }
}

/** Runs the lamps' clauses with the code that runs those of the tasks. */
async function runToy(heeds = true) {
  const { app, lamps } = toyService('secret', heeds)
  const { origin } = untilTestEnd(await listenTo(async (request) => app.fetch(request), {}))
  const env = { BASE_URL: origin, API_KEY: 'secret' }
  const { values, mistakes } = parseTable(table, env, { cwd: '.', secret: 'API_KEY' })
  expect(mistakes).toEqual([])
  const settings = settingsOf(table, values)
  const id = randomUUID()
  let requests = 0
  const ran = await runClauses(
    {
      id,
      entry: contract.entry,
      selection: { clauses: [], required: [] },
      provide: { toy: { id, settings } },
    },
    {
      ...{ collected() {}, started() {}, judged() {}, noted() {} },
      requested: (count) => (requests += count),
    },
    new AbortController().signal,
  )
  const report = reportOf({
    ...ran,
    contract,
    settings: { baseUrl: origin, embedded: false, seed: 1, strict: false, bodies: 'failed' },
    order: { require: [], waived: [] },
    ...{ reasons: [], notices: [], restored: 0, residue: [], interrupted: false },
    startedAt: new Date(),
    durationMs: 1,
    requests,
    madeBy: { suiteVersion: '1' },
  })
  const verdicts = report.clauses.map(({ id, verdict }) => `${id} ${verdict}`)
  return { report, verdicts, lamps, made: makersOf(contract) }
}

test('a contract about lamps is run by the engine as it is', async () => {
  const { report, verdicts, lamps, made } = await runToy()
  expect(verdicts).toEqual([
    'lamp.read pass',
    'lamp.switch pass',
    'lamp.key pass',
    'lamp.colour observed',
  ])
  expect(report.verdict).toBe('conformant')
  expect(report.requests).toBeGreaterThan(5)
  expect(lamps.get('desk')?.on).toBe(false)
  expect(JSON.stringify(report)).toContain('"x-lamp-key":"(configured)"')
  expect(JSON.stringify(report)).not.toContain('secret')
  const page = made['index.html']?.(report)
  for (const said of ['A lamp that is switched stays so.', 'Switch a lamp', 'Lamps last for years'])
    expect(page).toContain(said)
})

test('a lamp that ignores its switch breaks the clause about it, and is left as it was', async () => {
  const { report, verdicts, made } = await runToy(false)
  expect(verdicts.filter((each) => each.endsWith('fail'))).toEqual(['lamp.switch fail'])
  expect(report.verdict).toBe('nonconformant')
  expect(made['junit.xml']?.(report)).toMatch(/<testcase[^>]*lamp\.switch[^>]*>\s*<failure/)
})
