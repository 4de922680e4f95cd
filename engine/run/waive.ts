import type { Verdict, Waiver } from '../verdict.ts'
import type { ClauseReport, Reason } from './report.ts'

/** `retired`: since which version the clause is gone, and why */
export type Waived = Waiver & { clause: string; retired?: string }

type Waiving = {
  clauses: ClauseReport[]
  stale: Reason[]
  notices: string[]
}

/** A waiver is stale if its clause passes or does not exist. */
export function waive(
  clauses: readonly ClauseReport[],
  waivers: readonly Waived[],
  { declared, now }: { declared?: readonly string[]; now: Date },
): Waiving {
  const today = now.toISOString().slice(0, 10)
  const verdictOf = new Map(clauses.map(({ id, verdict }) => [id, verdict]))
  const broken = ({ clause }: Waived) => isBroken(verdictOf.get(clause))
  const live = waivers.filter(({ until }) => until >= today)
  return {
    clauses: clauses.map((clause) => {
      const waived = live.find((waiver) => waiver.clause === clause.id && broken(waiver))
      if (!waived) return clause
      const { clause: _, ...waiver } = waived
      return { ...clause, waiver }
    }),
    stale: waivers.flatMap(({ clause, retired }) => {
      const verdict = verdictOf.get(clause)
      const exists = (declared?.includes(clause) ?? true) || verdictOf.has(clause)
      const why = retired ?? whyStale(verdict, exists)
      return why
        ? [{ fact: `the waiver of ${clause} is stale`, details: `: ${why}; delete it` }]
        : []
    }),
    notices: waivers
      .filter((waiver) => !live.includes(waiver) && broken(waiver))
      .map(
        ({ clause, until }) => `the waiver of ${clause} expired after ${until}: it counts again`,
      ),
  }
}

const isBroken = (verdict: Verdict | undefined) => verdict === 'fail' || verdict === 'warn'

function whyStale(verdict: Verdict | undefined, exists: boolean) {
  if (verdict === 'pass' || verdict === 'observed') return 'the clause passes'
  return exists ? undefined : 'no clause has this id'
}
