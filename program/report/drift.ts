import type { Report } from '../../engine/run/report.ts'
import type { Names } from '../../reporting/comparison/compare.ts'
import { type Comparison, comparisonOf } from '../../reporting/comparison/comparison.ts'
import { coverageTold, divergenceTold } from '../../reporting/comparison/figures.ts'
import {
  levelRemarks,
  listed,
  partialRemarks,
  targetOf,
  versionRemarks,
} from '../../reporting/comparison/remarks.ts'
import { differenceLine } from '../../reporting/comparison/words.ts'
import type { Baseline } from '../input/order.ts'

const names: Names = ['earlier', 'now']
const maxDriftLines = 40

/** The report of a run with what differs from an earlier one: notices, and failures under --strict. */
export function withDrift(report: Report, baseline: Baseline | undefined, strict: boolean): Report {
  if (!baseline) return report
  const manifest = report.clauses
  const earlier = { ...baseline.report, clauses: ranAgain(baseline.report, report) }
  const comparison = comparisonOf(earlier, report, { manifest, names })
  const drifted = comparison.differences.filter(({ outcome }) => outcome === 'diverge')
  const lines = drifted.map((each) => `drift: ${differenceLine(each, names)}`)
  const failing = strict && drifted.length > 0
  return {
    ...report,
    ...(failing ? { verdict: 'nonconformant' as const } : {}),
    reasons: [
      ...(failing
        ? [
            `${drifted.length === 1 ? '1 clause' : `${drifted.length} clauses`} drifted from the baseline ${baseline.file}, which fails under --strict`,
          ]
        : []),
      ...report.reasons,
    ],
    notices: [
      ...report.notices,
      ...remarks(baseline, comparison),
      ...lines.slice(0, maxDriftLines),
      ...(lines.length > maxDriftLines
        ? [`drift: and ${lines.length - maxDriftLines} more clauses`]
        : []),
    ],
  }
}

/** A run may have checked a few clauses only: the others are not missing from it. */
const ranAgain = (earlier: Report, { clauses }: Report) =>
  earlier.clauses.filter(({ id }) => clauses.some((clause) => clause.id === id))

function remarks({ file, report: earlier }: Baseline, comparison: Comparison): string[] {
  const { reports, compared, figures } = comparison
  const [, now] = reports
  const lost = compared.filter(
    ({ outcome, sides: [before, after] }) =>
      outcome === 'not comparable' && before && after && isKnown(before) && !isKnown(after),
  )
  return [
    `baseline ${file} of ${earlier.startedAt}: divergence ${divergenceTold(figures.all)}; coverage ${coverageTold(figures.all)}`,
    ...versionRemarks(reports, compared, names),
    ...levelRemarks(compared, names),
    ...partialRemarks(earlier, 'the baseline'),
    ...(targetOf(earlier) === targetOf(now)
      ? []
      : [`the baseline is of ${targetOf(earlier)}; the differences may be between two services`]),
    ...(lost.length > 0 ? [`decided in the baseline but not now: ${listed(lost)}`] : []),
  ]
}

const isKnown = ({ verdict }: Report['clauses'][number]) =>
  verdict !== 'skip' && verdict !== 'inconclusive'
