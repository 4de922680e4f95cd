import { existsSync, realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Report } from '../engine/run/report.ts'
import type { Environment } from '../engine/settings/table.ts'
import { readSettings } from '../helpers/settings/read.ts'
import type { Out } from '../reporting/console.ts'
import { merged } from '../reporting/merged.ts'
import { slimRemarks } from '../reporting/parts/slim.ts'
import type { CheckFlags } from './input/check-flags.ts'
import { Impossible, UsageError } from './input/mistakes.ts'
import { readReport } from './input/read-report.ts'
import { readWaivers } from './input/waivers.ts'
import { type Checked, finish } from './report/finish.ts'
import { showInCi } from './report/in-ci.ts'
import { createOutputGate } from './report/output-gate.ts'
import { prepareReportsDir } from './report/reports-dir.ts'

export type Merge = { flags: CheckFlags; environment: Environment; cwd: string; out: Out }

type Named = { dir: string; report: Report }

/** Makes one report of those that several runs left, and gives the one verdict on all. */
export function mergeReports({ flags, environment, cwd, out }: Merge): Checked {
  // Nothing is asked of a service: of the settings only where reports land, and what to keep out.
  const { REPORTS_DIR, API_KEY = '' } = environment
  const { reportsDir: dir } = readSettings({ REPORTS_DIR }, { cwd })
  const apiKey = API_KEY.trim()
  const gate = createOutputGate([apiKey])

  const [there, empty] = parted(flags.merge, (name) => existsSync(reportFileOf(resolve(cwd, name))))
  for (const name of empty)
    if (!existsSync(resolve(cwd, name)))
      throw new Impossible(
        `--merge ${name}: the folder does not exist; name the REPORTS_DIR of each shard.`,
      )
  needEachOnce(flags.merge, cwd)
  const named = there.map((name) => ({ dir: name, report: readReport(resolve(cwd, name)) }))
  const [first, ...others] = named
  if (!first) throw new Impossible(`--merge: ${flags.merge.join(', ')} holds no report.json.`)
  for (const other of others) needAlike(first, other)

  const reports = [first.report, ...others.map(({ report }) => report)] as const
  const waived = flags.waivers === undefined ? [] : readWaivers(flags.waivers, cwd)
  const found = merged([...reports], describeMissing(named, empty), waived)
  const remarks = named.flatMap((each) => slimRemarks(each.report, each.dir))
  const report = gate.value({ ...found, notices: [...remarks, ...found.notices] })
  prepareReportsDir(dir)
  const { verbose, slim } = flags
  const checked = finish(report, { dir, secrets: [apiKey], out: gate.out(out), verbose, slim })
  showInCi(checked, dir, environment, gate.out(out))
  return checked
}

const reportFileOf = (path: string) => (path.endsWith('.json') ? path : join(path, 'report.json'))

/** One report counts once, however its folder is written. */
function needEachOnce(names: readonly string[], cwd: string): void {
  const known = new Map<string, string>()
  for (const name of names) {
    const path = resolve(cwd, name)
    const place = realpathSync(existsSync(reportFileOf(path)) ? reportFileOf(path) : path)
    const earlier = known.get(place)
    if (earlier !== undefined)
      throw new UsageError(
        `--merge names one report twice, as ${earlier} and as ${name}; give each folder once.`,
      )
    known.set(place, name)
  }
}

/** Reports of different things make no one verdict. */
function needAlike(first: Named, other: Named): void {
  const differing = (what: string, one: string, another: string) => {
    if (one === another) return
    throw new Impossible(
      `--merge: ${first.dir} is of ${what} ${one}, ${other.dir} of ${another}: merge reports of one ${what}.`,
    )
  }
  differing('suite version', first.report.suiteVersion, other.report.suiteVersion)
  differing('target', targetOf(first.report), targetOf(other.report))
  const [one, another] = [first.report.shard?.of, other.report.shard?.of]
  if (one && another) differing('number of shards', String(one), String(another))
}

/** Every run has an embedded service of its own, at an address of its own. */
const targetOf = ({ target }: Report) =>
  target.embedded ? 'the embedded reference service' : target.baseUrl

function describeMissing(named: readonly Named[], empty: readonly string[]): string[] {
  const there = named.flatMap(({ report }) => report.shard ?? [])
  const whole = named.some(({ report }) => !report.shard)
  const of = there[0]?.of ?? 0
  const numbers = Array.from({ length: whole ? 0 : of }, (_, at) => at + 1)
  const absent = numbers.filter((number) => !there.some(({ index }) => index === number))
  return [
    ...absent.map((number) => `shard ${number}/${of} is missing: its clauses were not checked`),
    ...empty.map((name) => `${name} has no report.json: that run was not made`),
  ]
}

function parted<T>(items: readonly T[], holds: (item: T) => boolean): [T[], T[]] {
  return [items.filter(holds), items.filter((item) => !holds(item))]
}
