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

/** The cause of one clause, and of several. What needs an action comes first, above all a fact that no clause judged. */
const needs: Record<NotCheckedFor, [one: string, several?: string]> = {
  dangling: ['depend on a fact that no clause judged'],
  inconclusive: ['inconclusive'],
  refused: ['was rejected', 'were rejected'],
  setting: ['needs a setting', 'need a setting'],
  data: ['needs data', 'need data'],
  freedom: ['left open by the contract'],
  clause: ['waits for another clause', 'wait for other clauses'],
  unknown: ['skipped'],
}

export const notCheckedFor = Object.keys(needs) as NotCheckedFor[]

/** A number of clauses and their cause, in words: "4 need a setting". */
export function describeOpen(cause: NotCheckedFor, count: number, what = String(count)): string {
  const [one, several = one] = needs[cause]
  return `${what} ${count === 1 ? one : several}`
}

export function describeLevels(clauses: readonly Pick<ClauseReport, 'level'>[]): string {
  const parts = levels.flatMap((level) => {
    const count = clauses.filter((clause) => clause.level === level).length
    return count > 0 ? [counted(count, nounOf[level])] : []
  })
  return parts.join(', ').replace(/, ([^,]*)$/, ' and $1')
}

const nounOf: Record<Level, string> = { must: 'must', should: 'should', observe: 'observation' }

export const headingOf = (title: string, clauses: readonly ClauseReport[]): string =>
  clauses.length === 0
    ? title
    : `${title}: ${counted(clauses.length, 'clause')} (${describeLevels(clauses)})`
