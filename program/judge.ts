import { join } from 'node:path'
import { restsOf } from '../engine/clause/law.ts'
import type { Exchange } from '../engine/http/exchange.ts'
import { secretsOf } from '../engine/http/redaction.ts'
import { Impossible } from '../engine/impossible.ts'
import { originOf } from '../engine/origin.ts'
import type { Report } from '../engine/run/report.ts'
import { reportOf } from '../engine/run/report-of.ts'
import type { Judged } from '../engine/run/run-clauses.ts'
import { only, readEnvironment } from '../engine/settings/environment.ts'
import { findingsIn, outcomeOf } from '../helpers/recorded/judge.ts'
import { briefOf, exchangeOf, seenAs } from '../helpers/service/seen.ts'
import { readSettings } from '../helpers/settings/read.ts'
import type { Settings } from '../helpers/settings/table.ts'
import { takesColour } from '../reporting/console.ts'
import { present } from '../reporting/parts/texts.ts'
import { collectClauses, loadClauses } from './clauses.ts'
import type { Given } from './input/commands.ts'
import { openRecording, type Recording } from './input/har.ts'
import { type Order, readOrder } from './input/order.ts'
import { withNotes } from './input/people-files.ts'
import { type Call, readFlags, uncalled } from './input/read-flags.ts'
import { withDrift } from './report/drift.ts'
import { type Checked, type Finishing, finish } from './report/finish.ts'
import { showInCi } from './report/in-ci.ts'
import { prepareReportsDir } from './report/last.ts'
import { createOutputGate } from './report/output-gate.ts'
import { contract } from './run/contract.ts'
import { madeBy } from './run/version.ts'

export type Judge = Call & {
  makers?: Finishing['makers']
  signal?: AbortSignal
  collect?: typeof collectClauses
}

const mostEntryMb = 50
/** Looking for more of them in each text takes too long; then no body is shown. */
const mostSecrets = 300

/** The settings that mean something for recorded traffic. */
const used = ['REPORTS_DIR', 'STRICT', 'BODIES', 'MAX_EXPORT_MB', 'SEED', 'ACTOR_ID', 'API_KEY']

/** Judges recorded traffic, or the traffic through a proxy, and writes the reports; it sends nothing itself. */
export async function judge(call: Judge): Promise<Checked> {
  const { env, cwd, out, makers, collect } = call
  const flags = readFlags('judge', call)
  const environment = readEnvironment(cwd, env)
  const texts = { API_KEY: '(configured)', ...only(used, environment) }
  const wanted = readSettings({ ...texts, BASE_URL: 'http://localhost/v5' }, { cwd, flags })
  // A run's own traffic.har is in REPORTS_DIR.
  const settings = { ...wanted, reportsDir: join(wanted.reportsDir, 'judged') }
  const order = readOrder({ ...uncalled(), ...flags }, cwd, settings)
  const recorded = await filesOf(flags, settings, call)
  prepareReportsDir(settings.reportsDir)
  try {
    const recording = openRecording(
      recorded.files,
      flags.base?.replace(/\/+$/, ''),
      Math.min(mostEntryMb, settings.maxExportMb),
      flags.target && `what went through the proxy to ${flags.target}`,
    )
    const found = await reportOn(recording, settings, order, flags.wrongKey, collect)
    const own = secretsOf({ apiKey: environment.API_KEY ?? '' })
    const secrets = [...own, ...recording.secrets].filter(Boolean)
    const gate = createOutputGate(secrets)
    const drifted = withDrift(found, order.baseline, settings.strict)
    const [dir, shown] = [settings.reportsDir, gate.out(out)]
    const checked = finish(gate.value(withNotes(drifted, order.noted)), {
      ...{ dir, secrets, out: shown, makers },
      ...{ verbose: flags.verbose, colour: takesColour(out, env) },
    })
    showInCi(checked, dir, env, shown)
    return checked
  } finally {
    recorded.remove()
  }
}

/** The files that are named, or what a proxy records until it is stopped. */
async function filesOf({ words, proxy, target }: Given<'judge'>, settings: Settings, call: Judge) {
  if (proxy === undefined && target === undefined) {
    if (words.length > 0) return { files: words, remove: () => {} }
    throw new Impossible('judge needs a HAR file, or --proxy PORT and --target URL.')
  }
  if (proxy === undefined || target === undefined)
    throw new Impossible('--proxy and --target belong together; give both.')
  if (words.length > 0) throw new Impossible('--proxy records by itself; leave the HAR file out.')
  const { recordThroughProxy } = await import('./proxy.ts')
  return recordThroughProxy({ port: proxy, target, settings, ...call })
}

async function reportOn(
  recording: Recording,
  settings: Settings,
  order: Order,
  wrongKeys: readonly string[],
  collect = collectClauses,
): Promise<Report> {
  const { base, starts, secrets, notices, read } = recording
  const clauses = await loadClauses()
  const readAt = (number: number) => {
    const recorded = read(number)
    return recorded && seenAs(recorded, wrongKeys)
  }
  const all = starts.flatMap((_, at) => {
    const seen = readAt(at + 1)
    return seen ? briefOf(seen) : []
  })
  const unanswered = all.filter(({ status }) => status === 0).length
  const seeded = { ...settings, seed: recording.seed ?? settings.seed }
  const findings = await findingsIn(all, { clauses, settings: seeded, readAt })
  const exchanges = new Map<number, Exchange>()
  const exchangeAt = (number: number) => {
    const recorded = exchanges.has(number) ? undefined : read(number)
    if (recorded) exchanges.set(number, exchangeOf(recorded))
    return exchanges.get(number) ?? []
  }
  const judged = (await collect(order)).map((facts): Judged => {
    const finding = findings.get(facts.id)
    const { count, cases, problems } = finding ?? { count: 0, cases: [], problems: [] }
    const rests = { ...restsOf(cases), judgedBy: count }
    const named = problems.length > 0 ? problems : [rests]
    const numbers = originOf(
      ...named.flatMap(({ judged, control, before = [] }) => [...judged, ...control, ...before]),
    )
    const isHeld = count > 0 && problems.length === 0
    return {
      facts,
      outcome: outcomeOf(facts, clauses.get(facts.id), finding),
      evidence: numbers.flatMap(exchangeAt),
      ...(isHeld ? { rests, note: `judged from ${count} recorded exchanges` } : {}),
    }
  })
  recording.close()
  const [first = 0, last = 0] = [starts[0], starts.at(-1)]
  const isHidden = secrets.length > mostSecrets
  const bodies = isHidden ? 'none' : settings.bodies
  const report = reportOf({
    judged,
    errors: [],
    contract,
    settings: { ...settings, baseUrl: base, embedded: false, given: {}, bodies },
    order,
    reasons: [],
    notices: present([
      notices,
      isHidden && `the recording contains ${secrets.length} secrets: reports keep no body`,
      unanswered > 0 && `requests without a response, which are not judged: ${unanswered}`,
    ]),
    restored: 0,
    residue: [],
    startedAt: new Date(first),
    durationMs: last - first,
    requests: all.length - unanswered,
    madeBy,
    interrupted: false,
  })
  return { ...report, recorded: report.requests }
}
