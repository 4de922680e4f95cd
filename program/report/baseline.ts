import { counted } from '../../engine/counted.ts'
import {
  type CauseChange,
  type ClauseReport,
  describeReason,
  type Reason,
  type Report,
  targetOf,
  toldVerdict,
} from '../../engine/run/report.ts'
import {
  changesOfCauses,
  isBroken,
  isUndecided,
  remarksOfMatching,
} from '../../reporting/comparison/cause-changes.ts'
import {
  type Compared,
  compare,
  figuresOf,
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
  // A cause of clauses that were not checked is not fixed: they are looked up in all of that report.
  const changes = changesOfCauses(before, report)
  const compared = compare(earlier, report, { manifest, names, changes })
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
      ...(earlier.seed === report.seed ? {} : { seed: earlier.seed }),
      compared: figuresOf(compared).compared,
      ...changesSince(earlier, report, changes),
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

const idsOf = (clauses: readonly Pick<ClauseReport, 'id'>[]) => clauses.map(({ id }) => id)

/** Which causes and clauses are new or fixed, since when the rest is broken, and which clauses flipped. */
function changesSince(earlier: Report, now: Report, changes: readonly CauseChange[]) {
  const waived = idsOf(now.clauses.filter((clause) => toldVerdict(clause) === 'waived'))
  const causes = changes
    .map((cause) => withoutWaived(cause, waived))
    .filter(({ clauses }) => clauses.length > 0)
  const having = (change: CauseChange['change']) =>
    causes.filter((cause) => cause.change === change)
  const newIds = new Set(having('new').flatMap(({ clauses }) => clauses))
  const still = having('still').flatMap(({ clauses, since = earlier.startedAt }) =>
    clauses.filter((id) => !newIds.has(id)).map((id): [string, string] => [id, since]),
  )
  return {
    causes,
    new: [...newIds],
    since: Object.fromEntries(still),
    fixed: having('fixed').flatMap(({ clauses }) => clauses),
    flipped: flippedIn(earlier, now),
  }
}

/** What is broken and waived is listed as waived. */
const withoutWaived = (cause: CauseChange, waived: readonly string[]): CauseChange => ({
  ...cause,
  clauses: cause.clauses.filter((id) => !waived.includes(id)),
})

/** Clauses with another verdict at the same revision of the service, the broken ones first. */
function flippedIn(earlier: Report, now: Report): string[] {
  const { revision } = now.target
  if (revision === undefined || revision !== earlier.target.revision) return []
  const before = new Map(earlier.clauses.map((clause) => [clause.id, clause]))
  const isFlip = (clause: ClauseReport) => {
    const then = before.get(clause.id)
    if (clause.verdict === 'pass') return then !== undefined && isBroken(then)
    return isBroken(clause) && then?.verdict === 'pass'
  }
  const flipped = now.clauses.filter(isFlip)
  return idsOf(flipped.toSorted((a, b) => Number(isBroken(b)) - Number(isBroken(a))))
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
    remarksOfMatching([earlier, now], ['the baseline', 'this run']),
    lost.length > 0 && `decided in the baseline but not now: ${listed(lost)}`,
  ])
}
