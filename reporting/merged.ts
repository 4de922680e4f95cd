import { metOfOthers, withHanded } from '../engine/run/met.ts'
import { problemsOfReach } from '../engine/run/reach.ts'
import { settleReferences } from '../engine/run/references.ts'
import {
  areasJudgedIn,
  type ClauseReport,
  countsOf,
  nothingChecked,
  type Report,
  toldVerdict,
} from '../engine/run/report.ts'
import { type Waived, waive } from '../engine/run/waive.ts'
import { type Area, isChecked, type RunVerdict, runVerdictOf } from '../engine/verdict.ts'
import { groupedBy } from './parts/grouped-by.ts'
import { renumbered } from './parts/renumbered.ts'

/**
 * One report of several: the union of their clauses, of which one that ran twice has the graver
 * verdict. What a report met of another's clause is handed to it; references and areas are judged on
 * all, and so are waivers. `missing` has sentences on what should have been there.
 */
export function merged(
  given: readonly [Report, ...Report[]],
  missing: string[],
  waived: readonly Waived[] = [],
): Report {
  const [first] = given
  const reports = renumbered(given)
  const strict = reports.some((report) => report.strict)
  const met = reports.flatMap((report) => report.met ?? [])
  const ran = inOrder(reports.flatMap((report) => report.clauses))
  // What is missing may hold the owner, and the rest of the area.
  const isPart = missing.length > 0
  const settled = settleReferences(withHanded(ran, met, strict), () => isPart)
  const starts = reports.map(({ startedAt }) => Date.parse(startedAt))
  const now = new Date(Math.min(...starts))
  const { clauses, stale, notices } = waive(settled, waived, { now, isShard: isPart })
  const areas = areasOf(reports)
  const judgedAreas = isPart ? [] : areas
  const others = metOfOthers(met, new Set(clauses.map(({ id }) => id)))
  const reasons = distinct(reports.flatMap(ownReasons))
  // A report's own reasons say what its clauses do not: its verdict then stands for itself.
  const verdicts = reports.filter((each) => ownReasons(each).length > 0).map((r) => r.verdict)
  const ends = reports.map(({ startedAt, durationMs }) => Date.parse(startedAt) + durationMs)
  const isSlim = reports.some(({ slim }) => slim)
  const seeds = distinct(reports.map(({ seed }) => seed))
  return {
    // Without causes it is as the older of them.
    reportVersion: reports.some(({ reportVersion }) => reportVersion === 1) ? 1 : 2,
    suiteVersion: first.suiteVersion,
    suiteCommit: first.suiteCommit,
    node: first.node,
    platform: first.platform,
    target: first.target,
    startedAt: now.toISOString(),
    durationMs: Math.round(Math.max(...ends) - Math.min(...starts)),
    requests: sum(reports.map(({ requests }) => requests)),
    seed: first.seed,
    ...(strict ? { strict } : {}),
    verdict: gravest([
      runVerdictOf(clauses, judgedAreas),
      ...verdicts,
      isPart ? 'inconclusive' : 'conformant',
      stale.length > 0 ? 'nonconformant' : 'conformant',
    ]),
    ...(reports.some(({ interrupted }) => interrupted) ? { interrupted: true } : {}),
    merged: reports.length,
    ...(isSlim ? { slim: true as const } : {}),
    reasons: [
      ...missing,
      ...stale,
      ...reasons,
      ...(isChecked(clauses) ? [] : [nothingChecked]),
      ...problemsOfReach(clauses, judgedAreas),
    ],
    notices: [
      ...(seeds.length > 1 ? [`the runs had different seeds: ${seeds.join(', ')}`] : []),
      ...distinct([...notices, ...reports.flatMap(({ notices = [] }) => notices)]),
    ],
    restored: sum(reports.map(({ restored = 0 }) => restored)),
    residue: reports.flatMap(({ residue = [] }) => residue),
    counts: countsOf(clauses),
    exchanges: reports.flatMap(({ exchanges }) => exchanges),
    clauses,
    areas,
    ...(others.length > 0 ? { met: others } : {}),
  }
}

/** The reasons that are not found anew among the clauses of all. */
export function ownReasons(report: Report): string[] {
  const { reasons = [], clauses } = report
  const found = [nothingChecked, ...problemsOfReach(clauses, areasJudgedIn(report))]
  return reasons.filter((each) => !found.includes(each))
}

/** What any of the reports has to decide something of. */
export const areasOf = (reports: readonly Report[]): Area[] => [
  ...new Map(reports.flatMap(({ areas = [] }) => areas).map((area) => [area.name, area])).values(),
]

/** Operation by operation: in which order a suite has its clauses is not known any more. */
function inOrder(all: readonly ClauseReport[]): ClauseReport[] {
  const single = [...groupedBy(all, ({ id }) => id).values()].map((same) => same.reduce(graver))
  return [...groupedBy(single, ({ operation }) => operation).values()].flatMap((clauses) =>
    clauses.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  )
}

/** By what it does to the verdict on a run, the least first. */
const grades = ['skip', 'observed', 'pass', 'warn', 'waived', 'inconclusive', 'fail']

const gradeOf = (clause: ClauseReport) => grades.indexOf(toldVerdict(clause))

const graver = (one: ClauseReport, other: ClauseReport) =>
  gradeOf(other) > gradeOf(one) ? other : one

export const gravest = (verdicts: readonly RunVerdict[]): RunVerdict =>
  gravity.find((grave) => verdicts.includes(grave)) ?? 'conformant'

const gravity: RunVerdict[] = ['nonconformant', 'incomplete', 'inconclusive', 'conformant']

const distinct = <T>(items: T[]) => [...new Set(items)]

const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0)
