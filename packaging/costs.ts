// npm run costs: runs all clauses on the reference service, with every setting and without one of each,
// and writes program/costs.json, from which --plan answers.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Exchange } from '../engine/http/exchange.ts'
import type { Report } from '../engine/run/report.ts'
import { profileNames } from '../helpers/settings/profiles.ts'
import { mainSettings } from '../helpers/settings/table.ts'
import { check } from '../program/check.ts'
import { type Costs, names } from '../program/costs.ts'
import { createInterruption } from '../program/run/interruption.ts'
import { environmentFor } from '../program/stand-in/settings-for.ts'
import { listen } from '../reference/listen.ts'
import { createMailbox, listenMailbox } from '../reference/mail/mailbox.ts'
import { createService } from '../reference/service.ts'
import { makeWorld } from '../reference/world/world.ts'
import { groupedBy } from '../reporting/parts/texts.ts'

/** Runs without one of these, or without any of `A|B`, show which clauses need it; `!X` forbids X. */
const without = [
  'TASK_IDS|READ_TASK_IDS',
  ...mainSettings.filter((name) => name.endsWith('_IDS') || name === 'ACTOR_ID'),
  ...['MAILBOX_URL', 'WRONG_REGION_URL', 'OUTSIDE_PROXY_URL', 'KEY_IN_QUERY'],
  ...'!READ_ONLY !task.read !assign.update !assign.unassign !assessment.read !export'.split(' '),
]

type Env = Record<string, string | undefined>

async function run(change: (env: Env) => Env, argv: string[] = []): Promise<Report> {
  const mailbox = createMailbox()
  const service = createService({ world: makeWorld(1), mailer: mailbox.deliver })
  const abroad = createService({ world: makeWorld(2) })
  const opened = [
    await listen(service),
    await listenMailbox(mailbox),
    await listen(abroad),
  ] as const
  const folder = mkdtempSync(join(tmpdir(), 'costs-'))
  const env = change({
    SEED: '1',
    BASE_URL: opened[0].baseUrl,
    ...environmentFor(service),
    MAILBOX_URL: opened[1].url,
    WRONG_REGION_URL: opened[2].baseUrl,
    KEY_IN_QUERY: '1',
    REPORTS_DIR: folder,
    BODIES: 'all',
  })
  const { report } = await check({
    argv,
    env,
    cwd: folder,
    out: { write: () => {} },
    interruption: createInterruption(),
    makers: {},
  })
  for (const each of opened) await each.close()
  if (!report) throw new Error('the run made no report')
  return report
}

const costOf = (exchanges: readonly Exchange[]): number[] => {
  const puts = exchanges.filter(({ method }) => method === 'PUT')
  const accepted = puts.filter(({ status = 0 }) => status < 300)
  const to = (pattern: RegExp) =>
    accepted.filter(({ requestBody = '' }) => pattern.test(requestBody)).length
  const counts: Record<(typeof names)[number], number> = {
    requests: exchanges.length,
    exports: exchanges.filter(({ path }) => path.includes('/export')).length,
    updates: puts.length,
    toUsers: to(/"assigned_to_type":"USER"/),
    toTeams: to(/"assigned_to_type":"TEAM"/),
    toNobody: to(/^\{"unassign"/),
  }
  return names.map((name) => counts[name])
}

const totalOf = ({ exchanges, requests }: Report): number[] => costOf(exchanges).with(0, requests)

const whole = await run((env) => env)
process.stdout.write(`all clauses: ${whole.requests} requests\n`)
const clauses = whole.clauses.map(({ id }) => id)
const rests = new Map<number, number[]>()
for (const [at, { evidence }] of whole.clauses.entries())
  for (const { exchange, role } of evidence)
    if (role !== 'put-back') rests.set(exchange, [...new Set([...(rests.get(exchange) ?? []), at])])
const groups = new Map<string, Exchange[]>()
for (const exchange of whole.exchanges) {
  const key = JSON.stringify(rests.get(exchange.number) ?? [])
  groups.set(key, [...(groups.get(key) ?? []), exchange])
}
const ofClauses = [...groups].filter(([key]) => key !== '[]')
const known = ofClauses.reduce((sum, [, exchanges]) => sum + exchanges.length, 0)
const unattributed = costOf(groups.get('[]') ?? [])
const { requests: atFirst } = await run((env) => env, ['--clauses', 'auth.ip-allow-list'])
const counts = environmentFor({ world: makeWorld(1) })

/** What one more id costs, from a run with the first ones of a list alone. */
async function costOfOne(name: 'TASK_IDS' | 'READ_TASK_IDS' | 'ASSESSMENT_IDS', left: number) {
  const idsIn = ({ [name]: list = '' }: Env) => list.split(',')
  const recorded = idsIn(counts).length
  const firstOf = (env: Env) => ({ ...env, [name]: idsIn(env).slice(0, left).join() })
  const less = totalOf(await run(firstOf))
  const saved = totalOf(whole).map((count, at) => count - (less[at] ?? 0))
  const cost = saved.map((count) => Math.round((count / (recorded - left)) * 100) / 100)
  return { recorded, cost }
}

const costs: Costs = {
  clauses,
  groups: ofClauses.map(([key, exchanges]) => [JSON.parse(key), ...costOf(exchanges)]),
  contact: [atFirst, 0, 0, 0, 0, 0],
  unattributed: unattributed.with(0, whole.requests - known - atFirst),
  each: {
    tasks: await costOfOne('TASK_IDS', 1),
    readTasks: await costOfOne('READ_TASK_IDS', 1),
    assessments: await costOfOne('ASSESSMENT_IDS', 2),
  },
  needs: [],
  profiles: { full: totalOf(whole), smoke: [], reads: [], updates: [], export: [] },
}
for (const name of profileNames)
  if (name !== 'full') costs.profiles[name] = totalOf(await run((env) => env, ['--profile', name]))

const isSkipped = ({ verdict, cause }: Report['clauses'][number]) =>
  verdict === 'skip' && cause === 'setting'
const always = new Set(whole.clauses.filter(isSkipped).map(({ id }) => id))
for (const setting of without) {
  const report = await run((env) => {
    if (setting === '!READ_ONLY') return { ...env, READ_ONLY: '1' }
    if (setting.startsWith('!')) return { ...env, NOT_PERMITTED: setting.slice(1) }
    const left = Object.entries(env).filter(([name]) => !setting.split('|').includes(name))
    return Object.fromEntries(left)
  })
  const lacking = report.clauses.filter(
    (clause) =>
      isSkipped(clause) &&
      (!always.has(clause.id) || clause.reason?.includes(setting.split('|')[0] ?? '')),
  )
  const byReason = groupedBy(lacking, ({ reason = '' }) => reason.split('\n')[0] ?? '')
  for (const [reason, group] of byReason)
    costs.needs.push({ setting, reason, clauses: group.map(({ id }) => clauses.indexOf(id)) })
  process.stdout.write(`${setting}: ${lacking.length} clauses need it\n`)
}

const lines = Object.entries(costs).map(([name, value]) => {
  const list = Array.isArray(value) && typeof value[0] === 'object'
  const text = list
    ? `[\n${value.map((each) => `  ${JSON.stringify(each)}`).join(',\n')}\n ]`
    : JSON.stringify(value)
  return ` ${JSON.stringify(name)}: ${text}`
})
writeFileSync(join(import.meta.dirname, '../program/costs.json'), `{\n${lines.join(',\n')}\n}\n`)
process.exit(0)
