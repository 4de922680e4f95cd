import { describeReach } from '../../engine/run/reach.ts'
import type { Report } from '../../engine/run/report.ts'

/** The verdict on a run in a word. */
export const describeVerdict = ({ verdict, interrupted }: Report): string =>
  `${verdict.toUpperCase()}${interrupted ? ' (INTERRUPTED)' : ''}`

/** How far the verdict reaches, to stand after its word: "in 131 of 138 musts; 7 not checked (…)". */
export function describeReachOf({ verdict, clauses }: Report): string {
  if (!clauses.some(({ level }) => level === 'must')) return '(no must was selected)'
  return `${verdict === 'conformant' ? 'in' : 'after'} ${describeReach(clauses)}`
}
