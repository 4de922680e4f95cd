import { counted } from '../../engine/counted.ts'
import {
  type ClauseReport,
  describeReason,
  type Reason,
  type Report,
  targetOf,
  toldVerdict,
} from '../../engine/run/report.ts'
import {
  type Compared,
  compare,
  figuresOf,
  isUndecided,
  type Names,
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
import { noticesOfReport, withPresentIds } from '../input/present-ids.ts'

const names: Names = ['earlier', 'now']
const maxDriftLines = 40

/** Says what differs from an earlier run; under `strict` that fails the run, if `--baseline` named it. */
export function withBaseline(
  report: Report,
  baseline: Baseline | undefined,
  strict: boolean,
): Report {
  if (!baseline) return report
  const { file } = baseline
  // Another service was tested in this folder before.
  if (file === undefined && targetOf(baseline.report) !== targetOf(report)) return report
  const manifest = report.clauses
  // Clauses that this run did not check are not missing from it.
  const before = withPresentIds(baseline.report)
  const ranAgain = before.clauses.filter(({ id }) => manifest.some((now) => now.id === id))
  const earlier = { ...before, clauses: ranAgain }
  const compared = compare(earlier, report, { manifest, names })
  const drifted = compared.filter(({ outcome }) => outcome === 'diverge')
  const observed = drifted.filter(({ grade }) => grade === 'observed')
  const failing = strict && file !== undefined && drifted.length > 0
  const drift = {
    fact: `${counted(drifted.length, 'clause')} drifted from the baseline ${file}`,
    details: ', which fails under --strict',
  }
  return {
    ...report,
    ...(failing ? { verdict: 'nonconformant' as const } : {}),
    ...(failing ? reasonsAfter(drift, report) : {}),
    baseline: {
      ...(file === undefined ? {} : { file }),
      startedAt: earlier.startedAt,
      compared: figuresOf(compared).compared,
      ...changesSince(earlier, report),
      differing: idsOf(observed.map(({ facts }) => facts)),
    },
    notices: present([
      report.notices,
      noticesOfReport(baseline.report).map((sentence) => `baseline: ${sentence}`),
      remarks(earlier, report, compared),
      observed.slice(0, maxDriftLines).map(lineOf),
      observed.length > maxDriftLines &&
        `drift: and ${observed.length - maxDriftLines} more clauses`,
    ]),
  }
}

const reasonsAfter = (first: Reason, { reasons }: Report) => ({
  reasons: [describeReason(first), ...reasons],
  shortReason: first.fact,
})

const lineOf = (compared: Compared) => {
  const { id, statement } = compared.facts
  return `drift: ${id}: ${statement}: ${differenceTold(compared, names).join('; ')}`
}

const isBroken = (clause: ClauseReport) => ['fail', 'warn'].includes(toldVerdict(clause))

const idsOf = (clauses: readonly Pick<ClauseReport, 'id'>[]) => clauses.map(({ id }) => id)

/** What is new, fixed or flipped, and since when the rest is broken. */
function changesSince(earlier: Report, now: Report) {
  const before = new Map(earlier.clauses.map((clause) => [clause.id, clause]))
  const known = now.clauses.filter(({ id }) => before.has(id))
  const was = ({ id }: ClauseReport) => before.get(id) as ClauseReport
  const broken = known.filter(isBroken)
  const still = broken.filter((each) => isBroken(was(each)))
  const fixed = known.filter((each) => each.verdict === 'pass' && isBroken(was(each)))
  const flipped = broken.filter((each) => was(each).verdict === 'pass')
  const { revision } = now.target
  const isSame = revision !== undefined && revision === earlier.target.revision
  const firstSeen = (id: string) => earlier.baseline?.since[id] ?? earlier.startedAt
  return {
    new: idsOf(broken.filter((each) => !still.includes(each))),
    since: Object.fromEntries(still.map(({ id }) => [id, firstSeen(id)])),
    fixed: idsOf(fixed),
    flipped: isSame ? idsOf([...flipped, ...fixed]) : [],
  }
}

function remarks(earlier: Report, now: Report, compared: Compared[]) {
  const lost = compared.filter(
    ({ sides: [before, after] }) => before && after && !isUndecided(before) && isUndecided(after),
  )
  return present([
    versionRemarks([earlier, now], compared, names),
    levelRemarks(compared),
    partialRemarks(earlier, 'the baseline'),
    targetOf(earlier) !== targetOf(now) &&
      `the baseline is of ${targetOf(earlier)}; the differences may be between two services`,
    lost.length > 0 && `decided in the baseline but not now: ${listed(lost)}`,
  ])
}
