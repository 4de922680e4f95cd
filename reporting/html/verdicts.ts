import type { ClauseReport } from '../../engine/run/report.ts'
import { tally as count, type ShownVerdict, told } from '../parts/count.ts'
import { html, type Markup } from './markup.ts'

/** Every verdict with its sign, the gravest first and observations last. */
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

/** A verdict as sign and word, because not everybody sees colours. */
export const badge = (verdict: ShownVerdict): Markup =>
  html`<span class="verdict ${classOf(verdict)}">${signs[verdict] ?? '·'} ${verdict}</span>`

/** Class names come from known words alone, even if the report file is manipulated. */
export const classOf = (verdict: ShownVerdict): string => (verdict in signs ? verdict : 'unknown')

/** Counts of verdicts, the gravest first, without zeros. */
export function tally(clauses: readonly ClauseReport[]): [ShownVerdict, number][] {
  const counts = count(clauses)
  return told.flatMap((verdict) => (counts[verdict] > 0 ? [[verdict, counts[verdict]]] : []))
}
