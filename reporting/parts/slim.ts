import type { ClauseReport, Report } from '../../engine/run/report.ts'

/** What a report says, without what it rests on: no exchange, no body, no notes on a pass. */
export function slim(report: Report): Report {
  const { exchanges: _, clauses, ...rest } = report
  return { ...rest, slim: true, exchanges: [], clauses: clauses.map(saying) }
}

const saying = ({ note: _, forms: __, unasked: ___, tookMs: ____, ...said }: ClauseReport) => ({
  ...said,
  evidence: [],
})

/** What a reader of such a report misses; nothing of a whole one. */
export const slimRemarks = ({ slim }: Pick<Report, 'slim'>, named: string): string[] =>
  slim ? [`${named} is slim; it holds no requests and no answers`] : []
