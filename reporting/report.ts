import type { Exchange } from '../helpers/http/exchange.ts'
import type { Level, RunVerdict, Verdict } from '../helpers/verdict.ts'

/** What a run found: everything else that is reported is made from this. */
export type Report = {
  reportVersion: 1
  suiteVersion: string
  target: { baseUrl: string; embedded: boolean }
  startedAt: string
  durationMs: number
  requests: number
  seed: number
  verdict: RunVerdict
  /** ended by a signal */
  interrupted?: true
  /** why the verdict is what it is, where the clauses alone do not tell */
  reasons: string[]
  notices: string[]
  /** how many tasks an update of ours had to put back */
  restored: number
  /** tasks that could not be put back as they were found */
  residue: { task: string; reason: string }[]
  counts: Record<Level, Partial<Record<Verdict, number>>>
  clauses: ClauseReport[]
}

export type ClauseReport = {
  id: string
  level: Level
  statement: string
  section: string
  operation: string
  reading?: string
  verdict: Verdict
  reason?: string
  observed?: unknown
  /** what a reader of a pass should know */
  note?: string
  durationMs: number
  evidence: Exchange[]
}

const verdicts: Record<Level, Verdict[]> = {
  must: ['pass', 'fail', 'skip', 'inconclusive'],
  should: ['pass', 'fail', 'warn', 'skip', 'inconclusive'],
  observe: ['observed', 'skip', 'inconclusive'],
}

/** How many clauses of each level got each verdict. */
export function countsOf(clauses: readonly ClauseReport[]): Report['counts'] {
  const count = (level: Level) =>
    Object.fromEntries(
      verdicts[level].map((verdict) => [
        verdict,
        clauses.filter((clause) => clause.level === level && clause.verdict === verdict).length,
      ]),
    )
  return { must: count('must'), should: count('should'), observe: count('observe') }
}
