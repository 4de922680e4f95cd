import type { ClauseReport } from '../../engine/run/report.ts'
import { tally as count, type Told, told } from '../parts/count.ts'
import { type Content, html, type Markup } from './markup.ts'

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
}

export const verdicts: readonly Told[] = told

/** A verdict as sign and word; a sign alone is not read out, and colour alone not seen by all. */
export const badge = (verdict: Told): Markup =>
  html`<span class="verdict ${classOf(verdict)}"><span aria-hidden="true">${signs[verdict] ?? '·'}</span> ${verdict}</span>`

/** A verdict where there is room for the sign alone: the word is there for who does not see it. */
export const sign = (verdict: Told, beside: Content = ''): Markup =>
  html`<span class="verdict ${classOf(verdict)}"><span aria-hidden="true">${signs[verdict] ?? '·'}</span>${beside}<span class="unseen"> ${verdict}</span></span>`

/** Class names are made of known words alone, whatever a report file says. */
export const classOf = (verdict: Told): string => (verdict in signs ? verdict : 'unknown')

/** How many of these got each verdict, the gravest first; verdicts of none are left out. */
export function tally(clauses: readonly ClauseReport[]): [Told, number][] {
  const counts = count(clauses)
  return told.flatMap((verdict) => (counts[verdict] > 0 ? [[verdict, counts[verdict]]] : []))
}
