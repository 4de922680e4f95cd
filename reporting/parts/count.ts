import { counted } from '../../engine/counted.ts'
import { type ClauseReport, isCounted, toldVerdict } from '../../engine/run/report.ts'
import { type Cause, causes, type Level, type Verdict } from '../../engine/verdict.ts'

/** A verdict as reports show it: a waived breach is waived, and a clause that is too new is not counted. */
export type ShownVerdict = Verdict | 'waived' | 'not counted'

/** The gravest first, observations last. */
export const told = [
  'fail',
  'warn',
  'waived',
  'inconclusive',
  'skip',
  'pass',
  'observed',
  'not counted',
] as const satisfies readonly ShownVerdict[]

export const levels = ['must', 'should', 'observe'] as const satisfies readonly Level[]

export type Tally = Record<ShownVerdict, number>

export function tally(clauses: readonly ClauseReport[]): Tally {
  const counts = Object.fromEntries(told.map((verdict) => [verdict, 0])) as Tally
  for (const clause of clauses) counts[toldVerdict(clause)] += 1
  return counts
}

/** Why a clause was not checked; `unknown`: a report of version 1 has no causes. */
export type NotCheckedFor = 'dangling' | 'inconclusive' | Cause | 'unknown'

export const isOpen = (clause: Pick<ClauseReport, 'verdict' | 'newerThan'>): boolean =>
  isCounted(clause) && (clause.verdict === 'skip' || clause.verdict === 'inconclusive')

export function openFor({ verdict, cause, dangling }: ClauseReport): NotCheckedFor {
  if (verdict === 'inconclusive') return 'inconclusive'
  if (dangling !== undefined) return 'dangling'
  return cause && causes.includes(cause) ? cause : 'unknown'
}

export function describeLevels(clauses: readonly Pick<ClauseReport, 'level'>[]): string {
  const parts = levels.flatMap((level) => {
    const count = clauses.filter((clause) => clause.level === level).length
    return count > 0 ? [counted(count, nounOf[level])] : []
  })
  const last = parts.at(-1) ?? ''
  return parts.length > 1 ? `${parts.slice(0, -1).join(', ')} and ${last}` : last
}

const nounOf: Record<Level, string> = { must: 'must', should: 'should', observe: 'observation' }

export const headingOf = (title: string, clauses: readonly ClauseReport[]): string =>
  clauses.length === 0
    ? title
    : `${title}: ${counted(clauses.length, 'clause')} (${describeLevels(clauses)})`
