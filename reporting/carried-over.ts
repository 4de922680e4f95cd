import { counted } from '../engine/counted.ts'
import { numbersIn } from '../engine/problem.ts'
import { reasonsOfClauses } from '../engine/run/reach.ts'
import {
  type Breach,
  type ClauseReport,
  countsOf,
  describeReason,
  isCounted,
  type Reason,
  type Report,
  targetOf,
} from '../engine/run/report.ts'
import { type RunVerdict, runVerdictOf } from '../engine/verdict.ts'
import { equalAnswersIn } from './parts/evidence.ts'

export type Earlier = { file: string; report: Report }

/**
 * Replaces what was checked again in the earlier report. A clause that failed there and passes now counts
 * as passed. On the same revision of the service it is a flip: one of the runs was wrong, and the verdict
 * is inconclusive. So it is if a clause that failed there is undecided now.
 */
export function carriedOver(again: Report, earlier: Earlier | undefined): Report {
  if (!earlier || again.clauses.length === 0) return again
  const { file } = earlier
  const foreign = whyForeign(earlier.report, again)
  if (foreign) {
    const notice = `--failed ${file}: ${foreign}, so nothing is carried over from it`
    return { ...again, notices: [notice, ...again.notices] }
  }
  const [before, now] = renumbered([earlier.report, again]) as [Report, Report]
  const anew = new Map(now.clauses.map((clause) => [clause.id, clause]))
  const known = new Set(before.clauses.map(({ id }) => id))
  const clauses = [
    ...before.clauses.map((clause) => anew.get(clause.id) ?? clause),
    ...now.clauses.filter(({ id }) => !known.has(id)),
  ]
  const failed = before.clauses.filter((each) => isCounted(each) && each.verdict === 'fail')
  const nowIn = (verdict: string) => failed.filter(({ id }) => anew.get(id)?.verdict === verdict)
  const there = `failed in the report of ${before.startedAt}`
  const passing = nowIn('pass').map(({ id }) => `${id} passes now; ${there}`)
  const { revision } = now.target
  const isSameRevision = revision !== undefined && revision === before.target.revision
  // An earlier failure that is undecided now is unresolved.
  const unresolved: Reason[] = [
    ...[...nowIn('skip'), ...nowIn('inconclusive')].map(({ id }) => ({
      fact: `${id} is not decided now`,
      details: `; ${there}`,
    })),
    ...(isSameRevision ? nowIn('pass') : []).map(({ id }) => ({
      fact: `${id} passes now`,
      details: `; ${there}, at the same revision ${revision}`,
    })),
  ]
  const all = [before, now].flatMap((each) => each.areas ?? [])
  const areas = [...new Map(all.map((area) => [area.name, area])).values()]
  const judged = clauses.filter(isCounted)
  const ownReasons = reasonsOfRun(now)
  const ofClauses = reasonsOfClauses(judged, areas)
  const shortReason =
    unresolved[0]?.fact ?? (ownReasons.length > 0 ? now.shortReason : ofClauses[0]?.fact)
  const verdicts = [
    runVerdictOf(judged, areas),
    ...(ownReasons.length > 0 ? [now.verdict] : []),
    ...(unresolved.length > 0 ? ['inconclusive'] : []),
  ]
  const exchanges = [...before.exchanges, ...now.exchanges]
  const { shortReason: _, endedEarly: __, ...rest } = now
  return {
    ...rest,
    verdict: gravity.find((each) => verdicts.includes(each)) ?? 'conformant',
    reasons: [
      ...new Set([
        ...unresolved.map(describeReason),
        ...ownReasons,
        ...ofClauses.map(describeReason),
      ]),
    ],
    ...(shortReason === undefined ? {} : { shortReason }),
    counts: countsOf(judged),
    exchanges: neededIn(clauses, exchanges, now.met),
    clauses,
    selection: before.selection,
    rerun: { of: before.startedAt, clauses: [...anew.keys()] },
    notices: [
      `--failed ${file}: ${counted(anew.size, 'clause was', 'clauses were')} checked again; the other ${clauses.length - anew.size} are carried over from the run of ${before.startedAt}`,
      ...(isSameRevision ? [] : passing),
      ...now.notices,
    ],
    areas,
  }
}

function whyForeign(one: Report, other: Report): string | undefined {
  if (targetOf(one) !== targetOf(other)) return `it is of ${targetOf(one)}`
  if (one.suiteVersion !== other.suiteVersion) return `it is of suite version ${one.suiteVersion}`
  return undefined
}

/** Those of the clauses stand last. */
function reasonsOfRun({ reasons, clauses, areas = [] }: Report): string[] {
  const { length } = reasonsOfClauses(clauses.filter(isCounted), areas)
  return reasons.slice(0, reasons.length - length)
}

const gravity: RunVerdict[] = ['nonconformant', 'incomplete', 'inconclusive', 'conformant']

function neededIn(
  clauses: readonly ClauseReport[],
  exchanges: Report['exchanges'],
  met: Report['met'] = [],
): Report['exchanges'] {
  const needed = new Set([
    ...clauses.flatMap(({ evidence }) => evidence.map(({ exchange }) => exchange)),
    ...clauses.flatMap(equalAnswersIn),
    ...numbersIn([...clauses.flatMap((clause) => clause.breaches ?? []), ...met]),
  ])
  return exchanges.filter(({ number }) => needed.has(number))
}

/** Renumbers the exchanges of reports, so that one report can hold them all. */
export function renumbered(reports: readonly Report[]): Report[] {
  let last = 0
  return reports.map((report) => {
    const by = last
    last += allIn(report).reduce((most, number) => Math.max(most, number), 0)
    return by === 0 ? report : movedBy(by, report)
  })
}

/** Breaches may also name exchanges that the report does not hold. */
function allIn({ exchanges, clauses, met = [] }: Report): number[] {
  const breaches = [...clauses.flatMap((clause) => clause.breaches ?? []), ...met]
  return [...exchanges.map(({ number }) => number), ...numbersIn(breaches)]
}

function movedBy(by: number, { exchanges, clauses, met, ...report }: Report): Report {
  const numbers = (these: readonly number[]) => these.map((each) => each + by)
  const moved = <T extends Pick<Breach, 'judged' | 'control' | 'before' | 'finding'>>(
    each: T,
  ): T => {
    const { judged, control, before, finding } = each
    const earlier = before && { before: numbers(before) }
    const why = finding?.why?.is === 'given before' && {
      finding: { ...finding, why: { ...finding.why, exchange: finding.why.exchange + by } },
    }
    return { ...each, judged: numbers(judged), control: numbers(control), ...earlier, ...why }
  }
  return {
    ...report,
    exchanges: exchanges.map((each) => ({ ...each, number: each.number + by })),
    clauses: clauses.map(({ breaches, evidence, ...clause }) => ({
      ...clause,
      ...(breaches && { breaches: breaches.map(moved) }),
      evidence: evidence.map(({ exchange, role }) => ({ exchange: exchange + by, role })),
    })),
    ...(met && { met: met.map(moved) }),
  }
}
