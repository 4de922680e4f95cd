import { counted } from '../../engine/counted.ts'
import { type Report, targetOf } from '../../engine/run/report.ts'
import {
  type Compared,
  compare,
  figuresOf,
  isUndecided,
  type Names,
  rankOf,
} from '../../reporting/comparison/compare.ts'
import {
  differenceTold,
  levelRemarks,
  listed,
  partialRemarks,
  versionRemarks,
} from '../../reporting/comparison/comparison.ts'
import { present } from '../../reporting/parts/texts.ts'
import type { Baseline } from '../input/order.ts'

const names: Names = ['earlier', 'now']
const maxDriftLines = 40

export function withDrift(report: Report, baseline: Baseline | undefined, strict: boolean): Report {
  if (!baseline) return report
  const manifest = report.clauses
  // Clauses that this run did not check are not missing from it.
  const ranAgain = baseline.report.clauses.filter(({ id }) => manifest.some((now) => now.id === id))
  const earlier = { ...baseline.report, clauses: ranAgain }
  const compared = compare(earlier, report, { manifest, names })
  const drifted = compared
    .filter(({ outcome }) => outcome === 'diverge')
    .toSorted((a, b) => rankOf(a) - rankOf(b))
  const lines = drifted.map((each) => {
    const { id, statement } = each.facts
    return `drift: ${id}: ${statement}: ${differenceTold(each, names)
      .join('; ')
      .replace(/\s*\n\s*/g, ' · ')}`
  })
  const failing = strict && drifted.length > 0
  return {
    ...report,
    ...(failing ? { verdict: 'nonconformant' as const } : {}),
    reasons: present([
      failing &&
        `${counted(drifted.length, 'clause')} drifted from the baseline ${baseline.file}, which fails under --strict`,
      report.reasons,
    ]),
    notices: present([
      report.notices,
      remarks({ ...baseline, report: earlier }, report, compared),
      lines.slice(0, maxDriftLines),
      lines.length > maxDriftLines && `drift: and ${lines.length - maxDriftLines} more clauses`,
    ]),
  }
}

function remarks({ file, report: earlier }: Baseline, now: Report, compared: Compared[]) {
  const figures = figuresOf(compared)
  const lost = compared.filter(
    ({ sides: [before, after] }) => before && after && !isUndecided(before) && isUndecided(after),
  )
  return present([
    `baseline ${file} of ${earlier.startedAt}: ${figures.compared} of ${figures.all} clauses were judged in both runs, ${figures.diverging} of them differ`,
    versionRemarks([earlier, now], compared, names),
    levelRemarks(compared),
    partialRemarks(earlier, 'the baseline'),
    targetOf(earlier) !== targetOf(now) &&
      `the baseline is of ${targetOf(earlier)}; the differences may be between two services`,
    lost.length > 0 && `decided in the baseline but not now: ${listed(lost)}`,
  ])
}
