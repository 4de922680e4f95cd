import { problemsOfReach } from '../engine/run/reach.ts'
import { areasJudgedIn, type ClauseReport, countsOf, type Report } from '../engine/run/report.ts'
import { runVerdictOf } from '../engine/verdict.ts'
import { areasOf, gravest, ownReasons } from './merged.ts'
import { renumbered } from './parts/renumbered.ts'
import { slimRemarks } from './parts/slim.ts'

/** An earlier report of which a part was checked once more. */
export type Earlier = {
  file: string
  report: Report
  /** what failed there and does not fail here is fine */
  accept: boolean
}

/**
 * The earlier report with what was checked once more in place of what it held. A clause that failed
 * there and passes here tells no more than that one of the two runs was unlucky: it keeps the run from
 * being conformant, unless that is accepted.
 */
export function rerunReport(again: Report, earlier: Earlier | undefined): Report {
  if (!earlier || again.clauses.length === 0) return again
  const { file, accept } = earlier
  const foreign = whyForeign(earlier.report, again)
  if (foreign)
    return {
      ...again,
      notices: [`--rerun ${file}: ${foreign}, so nothing is taken over from it`, ...again.notices],
    }
  const [before, now] = renumbered([earlier.report, again]) as [Report, Report]
  const anew = new Map(now.clauses.map((clause) => [clause.id, clause]))
  const known = new Set(before.clauses.map(({ id }) => id))
  const clauses = [
    ...before.clauses.map((clause) => anew.get(clause.id) ?? clause),
    ...now.clauses.filter(({ id }) => !known.has(id)),
  ]
  const flips = before.clauses.flatMap((was) => flipped(was, anew.get(was.id), file))
  const areas = areasOf([before, now])
  const shard = now.shard ?? before.shard
  const judgedAreas = areasJudgedIn({ areas, ...(shard ? { shard } : {}) })
  const own = ownReasons(now)
  const kept = clauses.length - anew.size
  const { slim: _, ...rest } = now
  return {
    ...rest,
    ...(shard ? { shard } : {}),
    ...(before.merged ? { merged: before.merged } : {}),
    verdict: gravest([
      runVerdictOf(clauses, judgedAreas),
      ...(own.length > 0 ? [now.verdict] : []),
      flips.length > 0 && !accept ? 'inconclusive' : 'conformant',
    ]),
    rerun: { of: before.startedAt, clauses: [...anew.keys()] },
    reasons: [
      ...(accept ? [] : flips.map((flip) => `${flip}; --accept-rerun accepts the later verdict`)),
      ...own,
      ...problemsOfReach(clauses, judgedAreas),
    ],
    notices: [
      `--rerun ${file}: ${counted(anew.size)} checked again; the other ${kept} are as the run of ${before.startedAt} found them`,
      ...(accept ? flips.map((flip) => `${flip}, which --accept-rerun accepts`) : []),
      ...slimRemarks(before, file),
      ...now.notices,
    ],
    counts: countsOf(clauses),
    exchanges: neededIn(clauses, [...before.exchanges, ...now.exchanges], now.met),
    clauses,
    areas,
  }
}

const counted = (clauses: number) => (clauses === 1 ? '1 clause was' : `${clauses} clauses were`)

function flipped(was: ClauseReport, is: ClauseReport | undefined, file: string): string[] {
  if (was.verdict !== 'fail' || !is) return []
  if (is.verdict === 'pass') return [`${was.id} failed in ${file} and passes now`]
  return is.verdict === 'skip' ? [`${was.id} failed in ${file} and was not decided now`] : []
}

/** Two services, or two suites, make no one report. */
function whyForeign(one: Report, other: Report): string | undefined {
  const target = ({ target: { embedded, baseUrl } }: Report) =>
    embedded ? 'the embedded reference service' : baseUrl
  if (target(one) !== target(other)) return `it is of ${target(one)}`
  if (one.suiteVersion !== other.suiteVersion) return `it is of suite version ${one.suiteVersion}`
  return undefined
}

/** What only clauses that were replaced rested on goes with them. */
function neededIn(
  clauses: readonly ClauseReport[],
  exchanges: Report['exchanges'],
  met: Report['met'] = [],
): Report['exchanges'] {
  const breaches = [...clauses.flatMap((clause) => clause.breaches ?? []), ...met]
  const needed = new Set([
    ...clauses.flatMap(({ evidence }) => evidence.map(({ exchange }) => exchange)),
    ...breaches.flatMap(({ judged, control }) => [...judged, ...control]),
  ])
  return exchanges.filter(({ number }) => needed.has(number))
}
