import {
  type ClauseReport,
  countsOf,
  nothingChecked,
  type Report,
  toldVerdict,
} from '../engine/run/report.ts'
import { isChecked, type RunVerdict, runVerdictOf } from '../engine/verdict.ts'
import { groupedBy } from './parts/grouped-by.ts'

/**
 * One report of several: the union of their clauses, of which one that ran twice has the graver
 * verdict. `missing` has sentences on what should have been there.
 */
export function merged(reports: readonly [Report, ...Report[]], missing: string[]): Report {
  const [first] = reports
  const clauses = inOrder(reports.flatMap((report) => report.clauses))
  const reasons = distinct(reports.flatMap(ownReasons))
  // A report's reasons tell what its clauses alone do not: its verdict then stands for itself.
  const verdicts = reports.filter((each) => ownReasons(each).length > 0).map((r) => r.verdict)
  const starts = reports.map(({ startedAt }) => Date.parse(startedAt))
  const ends = reports.map(({ startedAt, durationMs }) => Date.parse(startedAt) + durationMs)
  const seeds = distinct(reports.map(({ seed }) => seed))
  return {
    reportVersion: 2,
    suiteVersion: first.suiteVersion,
    target: first.target,
    startedAt: new Date(Math.min(...starts)).toISOString(),
    durationMs: Math.round(Math.max(...ends) - Math.min(...starts)),
    requests: sum(reports.map(({ requests }) => requests)),
    seed: first.seed,
    verdict: gravest([
      runVerdictOf(clauses),
      ...verdicts,
      missing.length > 0 ? 'inconclusive' : 'conformant',
    ]),
    ...(reports.some(({ interrupted }) => interrupted) ? { interrupted: true } : {}),
    merged: reports.length,
    reasons: [...missing, ...reasons, ...(isChecked(clauses) ? [] : [nothingChecked])],
    notices: [
      ...(seeds.length > 1 ? [`the runs had different seeds: ${seeds.join(', ')}`] : []),
      ...distinct(reports.flatMap(({ notices = [] }) => notices)),
    ],
    restored: sum(reports.map(({ restored = 0 }) => restored)),
    residue: reports.flatMap(({ residue = [] }) => residue),
    counts: countsOf(clauses),
    clauses,
  }
}

const ownReasons = ({ reasons = [] }: Report) => reasons.filter((each) => each !== nothingChecked)

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

const gravest = (verdicts: RunVerdict[]): RunVerdict =>
  verdicts.find((each) => each === 'nonconformant') ??
  verdicts.find((each) => each === 'inconclusive') ??
  'conformant'

const distinct = <T>(items: T[]) => [...new Set(items)]

const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0)
