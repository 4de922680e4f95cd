import { numbersIn, type Problem } from '../../engine/problem.ts'
import type { Report } from '../../engine/run/report.ts'

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
  const moved = <T extends Problem>(each: T): T => {
    const { judged, control, before } = each
    const earlier = before && { before: numbers(before) }
    return { ...each, judged: numbers(judged), control: numbers(control), ...earlier }
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
