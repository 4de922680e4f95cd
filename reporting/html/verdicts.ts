import { type ClauseReport, toldVerdict } from '../../engine/run/report.ts'
import type { Verdict } from '../../engine/verdict.ts'
import { html, type Markup } from './markup.ts'

export type Told = Verdict | 'waived'

/** Every verdict with its sign, the gravest first; what was only looked at comes last. */
export const signs: Record<Told, string> = {
  fail: '✗',
  warn: '▲',
  waived: '⚑',
  inconclusive: '?',
  skip: '○',
  pass: '✓',
  observed: '◆',
}

export const verdicts = Object.keys(signs) as Told[]

/** A verdict as sign and word: colour alone is not seen by all. */
export const badge = (verdict: Told): Markup =>
  html`<span class="verdict ${classOf(verdict)}">${signs[verdict] ?? '·'} ${verdict}</span>`

/** Class names are made of known words alone, whatever a report file says. */
export const classOf = (verdict: Told): string => (verdict in signs ? verdict : 'unknown')

/** How many of these got each verdict, the gravest first; verdicts of none are left out. */
export function tally(clauses: readonly ClauseReport[]): [Told, number][] {
  return verdicts
    .map((verdict): [Told, number] => [
      verdict,
      clauses.filter((clause) => toldVerdict(clause) === verdict).length,
    ])
    .filter(([, count]) => count > 0)
}
