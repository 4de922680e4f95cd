import { describeReach, describeShortfall } from '../../engine/run/reach.ts'
import type { Report } from '../../engine/run/report.ts'
import { isDecided } from '../../engine/verdict.ts'

/** The verdict on a run in a word. */
export const describeVerdict = ({ verdict, interrupted }: Report): string =>
  `${verdict.toUpperCase()}${interrupted ? ' (INTERRUPTED)' : ''}`

/** How far the verdict reaches, to stand after its word: "in 131 of 138 musts; 7 not checked (…)". */
export function describeReachOf(report: Report): string {
  const short = describeShortfall(report.clauses, report.areas ?? [])
  return short === undefined ? reachOf(report) : `${reachOf(report)}. ${short}`
}

function reachOf({ verdict, clauses }: Report): string {
  // A run that ended early has no clauses at all.
  if (clauses.length === 0) return noneDecided
  const musts = clauses.filter(({ level }) => level === 'must')
  if (musts.length === 0) return '(no must was selected)'
  const reach = describeReach(clauses)
  if (verdict === 'conformant') return `in ${reach}`
  return musts.some(isDecided) ? `after ${reach}` : reach.replace(/^[^;]*/, noneDecided)
}

const noneDecided = 'before any must was decided'
