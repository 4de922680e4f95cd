import type { ClauseReport } from '../../engine/run/report.ts'
import { tally as count, type Told, told } from '../parts/count.ts'
import { html, type Markup } from './markup.ts'

export type { Told }

/** Every verdict with its sign, the gravest first; what was only looked at comes last. */
export const signs: Record<Told, string> = {
  fail: '✗',
  warn: '▲',
  waived: '⚑',
  inconclusive: '?',
  skip: '○',
  pass: '✓',
  observed: '◆',
  'not counted': '∅',
}

export const verdicts: readonly Told[] = told

/** A verdict as sign and word: colour alone is not seen by all. */
export const badge = (verdict: Told): Markup =>
  html`<span class="verdict ${classOf(verdict)}">${signs[verdict] ?? '·'} ${verdict}</span>`

/** Class names are made of known words alone, whatever a report file says. */
export const classOf = (verdict: Told): string => (verdict in signs ? verdict : 'unknown')

/** How many of these got each verdict, the gravest first; verdicts of none are left out. */
export function tally(clauses: readonly ClauseReport[]): [Told, number][] {
  const counts = count(clauses)
  return told.flatMap((verdict) => (counts[verdict] > 0 ? [[verdict, counts[verdict]]] : []))
}
