import { verdictOf } from '../verdict.ts'
import type { ClauseReport, Met } from './report.ts'

/** Of a service that answers wrongly every time, the first few say it all. */
const maxShown = 5
const maxKept = 20

/** What was met of the sentence that one clause owns, in short. */
export type Handed = { reason: string; evidence: ClauseReport['evidence'] }

/** The breaches that were handed to a clause, as a reason and its evidence; undefined: there are none. */
export function handedTo(id: string, met: readonly Met[]): Handed | undefined {
  const own = distinctMet(met.filter(({ owner }) => owner === id))
  if (own.length === 0) return undefined
  const shown = own.slice(0, maxShown)
  const more = own.length > maxShown ? [`… and ${own.length - maxShown} more`] : []
  return {
    reason: [...shown.map(({ sentence }) => sentence), ...more].join('\n'),
    evidence: shown.flatMap(({ exchange }) => exchange ?? []),
  }
}

/** Clauses of reports with what other reports met of them: a breach is judged by its owner (rule R9). */
export function withHanded(
  clauses: readonly ClauseReport[],
  met: readonly Met[],
  strict: boolean,
): ClauseReport[] {
  return clauses.map((clause) => {
    const handed = handedTo(clause.id, met)
    if (!handed || clause.verdict === 'fail' || clause.verdict === 'warn') return clause
    const { cause, owners, declare, dangling, observed, ...bare } = clause
    const { reason } = handed
    const verdict = verdictOf(clause.level, { kind: 'broken', reason }, strict)
    return {
      ...bare,
      verdict,
      reason,
      ...(verdict === 'skip' ? { cause: 'data' as const } : {}),
      evidence: [...clause.evidence, ...handed.evidence],
    }
  })
}

/** What was met of clauses that are not among these ids: it travels in the report. */
export function metOfOthers(met: readonly Met[], ids: ReadonlySet<string>): Met[] {
  const others = distinctMet(met.filter(({ owner }) => !ids.has(owner)))
  const counts = new Map<string, number>()
  return others.filter(({ owner }) => {
    const count = (counts.get(owner) ?? 0) + 1
    counts.set(owner, count)
    return count <= maxKept
  })
}

function distinctMet(met: readonly Met[]): Met[] {
  const bySentence = new Map<string, Met>()
  for (const each of met) {
    const key = `${each.owner} ${each.sentence}`
    if (!bySentence.has(key)) bySentence.set(key, each)
  }
  return [...bySentence.values()]
}
