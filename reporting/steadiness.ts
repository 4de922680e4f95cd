// Joins several runs of the same clauses into one report: what was the same, and what flipped.

import {
  type ClauseReport,
  type Flip,
  type Report,
  type Side,
  toldVerdict,
} from '../engine/run/report.ts'
import { joinedOf, renumbered } from './carried-over.ts'
import { told } from './parts/count.ts'
import { judgedIn } from './parts/evidence.ts'
import { describeFlip } from './parts/summary.ts'
import { groupedBy, present } from './parts/texts.ts'

const maxRequests = 3

/** A clause whose verdict flipped is undecided. */
export function togetherOf(given: readonly Report[]): Report {
  const reports = renumbered(given)
  const last = reports.at(-1) as Report
  const ids = [...new Set(reports.flatMap(({ clauses }) => clauses.map(({ id }) => id)))]
  const exchanges = reports.flatMap((report) => report.exchanges)
  const merged = ids.map((id) => mergedOf(id, reports, exchanges))
  const clauses = merged.map(({ clause }) => clause)
  const flips = merged.flatMap(({ flip }) => flip ?? [])
  const ofVerdicts = flips.filter(({ of }) => of === 'verdict').map(({ id }) => id)
  const unresolved = present([
    ofVerdicts.length > 0 && `flipped in ${reports.length} runs: ${ofVerdicts.join(', ')}`,
  ])
  const { areas } = last
  const sum = (of: 'requests' | 'durationMs' | 'restored') =>
    reports.reduce((all, report) => all + report[of], 0)
  return {
    ...last,
    startedAt: reports[0]?.startedAt ?? last.startedAt,
    times: reports.length,
    flips,
    ...joinedOf(reports, { clauses, areas, unresolved, exchanges }),
    notices: [...new Set(reports.flatMap(({ notices }) => notices))],
    requests: sum('requests'),
    durationMs: sum('durationMs'),
    restored: sum('restored'),
  }
}

type Seen = { clause: ClauseReport; run: number }

function mergedOf(id: string, reports: readonly Report[], exchanges: Report['exchanges']) {
  const seen = reports.flatMap(({ clauses }, at): Seen[] => {
    const clause = clauses.find((each) => each.id === id)
    return clause ? [{ clause, run: at + 1 }] : []
  })
  const byVerdict = groupedBy(seen, ({ clause }) => toldVerdict(clause))
  const of = byVerdict.size > 1 ? 'verdict' : 'observed'
  const observedIn = ({ clause }: Seen) => JSON.stringify(clause.observed ?? null)
  const groups = of === 'verdict' ? byVerdict : groupedBy(seen, observedIn)
  const rank = (clause: ClauseReport) => told.indexOf(toldVerdict(clause))
  const [{ clause }] = seen.toSorted((a, b) => rank(a.clause) - rank(b.clause)) as [Seen]
  if (groups.size < 2) return { clause }
  const sides = [...groups].map(([value, those]): Side => {
    const [first] = those as [Seen]
    return {
      value: of === 'verdict' ? value : JSON.parse(value),
      runs: those.map(({ run }) => run),
      share: Math.round((those.length / seen.length) * 1000) / 1000,
      requests: decisiveIn(first.clause).slice(0, maxRequests),
    }
  })
  const flip: Flip = { id, of, sides }
  if (of === 'observed') return { clause, flip }
  const { cause: _, dangling: __, owners: ___, waiver: ____, ...rest } = clause
  const known = new Set(clause.evidence.map(({ exchange }) => exchange))
  const others = sides.flatMap(({ requests }) => requests).filter((each) => !known.has(each))
  const evidence = [
    ...clause.evidence,
    ...others.map((exchange) => ({ exchange, role: 'set-up' as const })),
  ]
  const reason = [describeFlip(flip, { exchanges }), ...(clause.reason ? [clause.reason] : [])]
  return {
    clause: { ...rest, verdict: 'inconclusive' as const, reason: reason.join('\n'), evidence },
    flip,
  }
}

/** The exchanges behind a verdict: those judged, else the last ones of the clause. */
const decisiveIn = (clause: ClauseReport): number[] => {
  const judged = judgedIn(clause)
  const asked = clause.evidence.filter(({ role }) => role !== 'put-back')
  return judged.length > 0 ? judged : asked.slice(-maxRequests).map(({ exchange }) => exchange)
}
