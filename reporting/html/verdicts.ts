import type { ClauseReport } from '../../engine/run/report.ts'
import { tally as count, type ShownVerdict, told } from '../parts/count.ts'
import { html, type Markup } from './markup.ts'

export type { ShownVerdict }

/** Every verdict with its sign, the gravest first; what was only looked at comes last. */
export const signs: Record<ShownVerdict, string> = {
  fail: '✗',
  warn: '▲',
  waived: '⚑',
  inconclusive: '?',
  skip: '○',
  pass: '✓',
  observed: '◆',
  'not counted': '∅',
}

export const verdicts: readonly ShownVerdict[] = told

/** A verdict as sign and word: colour alone is not seen by all. */
export const badge = (verdict: ShownVerdict): Markup =>
  html`<span class="verdict ${classOf(verdict)}">${signs[verdict] ?? '·'} ${verdict}</span>`

/** Class names are made of known words alone, whatever a report file says. */
export const classOf = (verdict: ShownVerdict): string => (verdict in signs ? verdict : 'unknown')

/** How many of these got each verdict, the gravest first; verdicts of none are left out. */
export function tally(clauses: readonly ClauseReport[]): [ShownVerdict, number][] {
  const counts = count(clauses)
  return told.flatMap((verdict) => (counts[verdict] > 0 ? [[verdict, counts[verdict]]] : []))
}
