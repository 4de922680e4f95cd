// Runs the suite on the reference service and on mocks made with public mock servers, and compares.
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Report } from '../../engine/run/report.ts'
import { compareReports } from '../../program/compare.ts'
import { readReport } from '../../program/input/read-report.ts'
import { environmentFor } from '../../program/stand-in/settings-for.ts'
import { listen } from '../../reference/listen.ts'
import { open } from '../../reference/rules/open.ts'
import { stated } from '../../reference/rules/stated.ts'
import { createService } from '../../reference/service.ts'
import { makeWorld } from '../../reference/world/world.ts'
import { coverageTold, divergenceTold, type Figures } from '../../reporting/comparison/figures.ts'
import { createMeasure } from '../../selftest/learned/measure.ts'
import type { Bent } from '../../selftest/proofs/fault.ts'
import { type Mock, mocks } from './mocks.ts'
import { type ReadWorld, worldLike } from './world-like.ts'

const here = import.meta.dirname
const root = join(here, '../..')
const reports = join(root, 'reports/mocks')

/** Runs the suite as somebody's CI would, without the .env of this folder; gives its report. */
async function check(name: string, settings: Record<string, string>): Promise<Report> {
  const dir = join(reports, name)
  mkdirSync(dir, { recursive: true })
  const waits = { SETTLE_MS: '100', AUDIT_WAIT_S: '1', MAIL_WAIT_S: '1', RUN_TIMEOUT_S: '300' }
  const places = { REPORTS_DIR: dir, JOURNAL_DIR: join(reports, `journal-${name}`) }
  const argv = ['--import', import.meta.resolve('tsx'), join(root, 'contract.ts'), 'check']
  const env = { ...process.env, SEED: '1', ...waits, ...places, ...settings }
  const child = spawn(process.execPath, argv, { cwd: dir, env, stdio: 'ignore' })
  const code = await ended(child)
  console.log(`${name}: exit code ${code}`)
  return readReport(dir)
}

const ended = (child: ChildProcess) =>
  new Promise((resolve) => child.once('exit', (code) => resolve(code)))

async function onReference(): Promise<Report> {
  const service = createService({ world: makeWorld(1) })
  const { baseUrl, close } = await listen(service)
  try {
    return await check('reference', { BASE_URL: baseUrl, ...environmentFor(service) })
  } finally {
    await close()
  }
}

/** Runs the suite on the reference service with other rules and the data of a mock, set as the mock is. */
async function onLearned(mock: Mock, { world, events }: ReadWorld, bent: Bent): Promise<Report> {
  const { baseUrl, close } = await listen(
    createService({
      world,
      events,
      open: { ...open, ...bent.open },
      stated: { ...stated, ...bent.stated },
    }),
  )
  try {
    return await check(`${mock.name}-learned`, { BASE_URL: baseUrl, ...mock.settings })
  } finally {
    await close()
  }
}

/** The report of a mock, and the world of a service with the data that it shows. */
async function onMock(mock: Mock): Promise<{ report: Report; world: ReadWorld }> {
  const { name, command, args, base, settings } = mock
  const port = await freePort()
  const given = args.map((word) => word.replace('PORT', String(port)))
  const server = spawn(command, given, { cwd: here, stdio: 'ignore' })
  const gone = ended(server)
  try {
    await answering(base(port), server)
    const world = await worldLike(mock, base(port), join(reports, `${name}-world.json`))
    const report = await check(name, { BASE_URL: base(port), ...settings })
    return { report, world }
  } finally {
    server.kill('SIGTERM')
    await gone
  }
}

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })

async function answering(url: string, server: ChildProcess): Promise<void> {
  for (let time = 0; time < 240; time += 1) {
    if (server.exitCode !== null) throw new Error(`the mock ended with ${server.exitCode}`)
    if (await fetch(`${url}/tasks/1`).then(Boolean, () => false)) return
    await wait(250)
  }
  throw new Error(`${url} did not answer within a minute`)
}

async function figuresOf(name: string): Promise<Figures> {
  const json = join(reports, name, 'comparison.json')
  await compareReports({
    argv: [
      ...[join(reports, 'reference'), join(reports, name)],
      ...['--html', join(reports, name, 'comparison.html'), '--json', json],
    ],
    env: {},
    cwd: root,
    out: { write: () => {} },
  })
  return (await import(json, { with: { type: 'json' } })).default.figures.all
}

if (!existsSync(join(here, 'node_modules'))) {
  console.error('The mock servers are not installed: npm ci --prefix bench/mocks --ignore-scripts')
  process.exit(2)
}
const wanted = process.argv.slice(2)
const chosen = mocks.filter(({ name }) => wanted.length === 0 || wanted.includes(name))
if (wanted.length === 0 || !existsSync(join(reports, 'reference/report.json'))) await onReference()
const rows: string[] = []
for (const mock of chosen) {
  const { report, world: held } = await onMock(mock)
  const { clauses, durationMs } = report
  const figures = await figuresOf(mock.name)
  const count = (...verdicts: string[]) =>
    clauses.filter(({ verdict }) => verdicts.includes(verdict)).length
  const counts = [count('pass', 'observed'), count('fail'), count('warn'), count('skip')]
  const told = [divergenceTold(figures), coverageTold(figures)]
  const run = (bent: Bent) => onLearned(mock, held, bent)
  const how = { withBreaches: true, run, world: held.world }
  const learned = await createMeasure([], how).reported(mock.name, report)
  for (const each of learned.stays) console.log(`- ${mock.name}: ${each}`)
  const { after, compared, before } = learned
  const mocked = `${before} → ${divergenceTold({ diverging: after, compared, all: compared })}`
  const seconds = `${Math.round(durationMs / 1000)} s`
  rows.push(
    `| ${[mock.name, ...counts, count('inconclusive'), ...told, mocked, seconds].join(' | ')} |`,
  )
}
console.log(
  '\n| mock | passed | failed | warned | skipped | inconclusive | divergence | coverage | of the learned mock | took |',
)
console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |')
for (const row of rows) console.log(row)
