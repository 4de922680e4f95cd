import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { readEnvironment, readSettings } from '../helpers/settings/read.ts'
import type { Settings } from '../helpers/settings/settings.ts'
import type { Service } from '../reference/service.ts'
import { type Out, summaryOf } from '../reporting/console.ts'
import { liveLine } from '../reporting/live.ts'
import type { Report } from '../reporting/report.ts'
import { startEmbedded } from './embedded.ts'
import { exitCodeOf } from './exit-code.ts'
import { firstContact } from './first-contact.ts'
import { type Flags, readFlags, usage } from './flags.ts'
import type { Interruption } from './interruption.ts'
import { reportOf } from './report-of.ts'
import { prepareReportsDir, writeWhole } from './reports-dir.ts'
import { runClauses } from './run-clauses.ts'
import { settleDebts } from './settle-debts.ts'
import { suiteVersion } from './version.ts'

export type Check = {
  argv: string[]
  env: Record<string, string | undefined>
  cwd: string
  out: Out
  interruption: Interruption
  /** the embedded service, where it is to be another than the reference */
  service?: Service
}

export type Checked = { exitCode: number; report?: Report }

/** The main job: checks every clause against the service and writes the reports. */
export async function check({
  argv,
  env,
  cwd,
  out,
  interruption,
  service,
}: Check): Promise<Checked> {
  const flags = readFlags(argv, env)
  if (flags.help) {
    out.write(usage())
    return { exitCode: 0 }
  }
  const environment = readEnvironment(cwd, env)
  const wanted = readSettings(environment, { cwd, flags })
  prepareReportsDir(wanted.reportsDir)

  const embedded = wanted.embedded ? await startEmbedded(wanted, service) : undefined
  try {
    const settings = embedded ? quickened(embedded.settings, environment) : wanted
    return await checkService(settings, flags, out, interruption)
  } finally {
    await embedded?.close()
  }
}

/** The embedded service does not lag, so nothing waits long for it to settle. */
const quickened = (settings: Settings, env: Record<string, string | undefined>): Settings =>
  env.SETTLE_MS ? settings : { ...settings, settleMs: 100 }

async function checkService(
  wanted: Settings,
  flags: Flags,
  out: Out,
  interruption: Interruption,
): Promise<Checked> {
  const startedAt = new Date()
  const start = performance.now()
  const contact = await firstContact(wanted)
  const settings = { ...wanted, baseUrl: contact.baseUrl }

  const live = liveLine(out)
  let requests = contact.requests
  const overtime = setTimeout(
    () => interruption.end(`the time of the run was over (RUN_TIMEOUT_S=${settings.runTimeoutS})`),
    settings.runTimeoutS * 1000,
  )
  const { judged, errors } = await runClauses(
    {
      id: randomUUID(),
      settings,
      known: contact.known,
      clauses: flags.clauses,
      required: flags.require,
    },
    {
      ...live,
      judged: ({ facts }) => live.judged(facts.id),
      requested: () => {
        requests += 1
        live.requested()
      },
    },
    interruption.signal,
  )
  clearTimeout(overtime)
  const settled = await settleDebts(settings)
  live.end()

  const report = reportOf({
    judged,
    errors,
    settings,
    required: flags.require,
    notices: [...settings.notices, ...contact.notices],
    residue: settled.residue,
    startedAt,
    durationMs: performance.now() - start,
    requests: requests + settled.requests,
    suiteVersion,
    interrupted: interruption.by !== undefined,
  })
  writeWhole(join(settings.reportsDir, 'report.json'), `${JSON.stringify(report, null, 1)}\n`)
  out.write(summaryOf(report, { verbose: flags.verbose }))
  out.write(`  report: ${join(settings.reportsDir, 'report.json')}\n`)
  return { exitCode: exitCodeOf({ verdict: report.verdict, signal: interruption.by }), report }
}
