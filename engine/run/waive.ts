import { isDeepStrictEqual } from 'node:util'
import { isObject } from '../http/answers.ts'
import { shown } from '../shown.ts'
import type { Verdict, Waiver } from '../verdict.ts'
import type { ClauseReport, Reason } from './report.ts'

/** `retired`: since which version the clause is gone, and why */
export type Waived = Waiver & { clause: string; retired?: string }

type Waiving = {
  clauses: ClauseReport[]
  stale: Reason[]
  notices: string[]
}

/** A waiver is stale if its clause passes or does not exist. A finding that it does not name counts. */
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
      if (!waived || otherFindingsIn(clause, waived).length > 0) return clause
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
    notices: [
      ...waivers
        .filter((waiver) => !live.includes(waiver) && broken(waiver))
        .map(
          ({ clause, until }) => `the waiver of ${clause} expired after ${until}: it counts again`,
        ),
      ...live.filter(broken).flatMap((waiver) => describeOtherFinding(waiver, clauses)),
    ],
  }
}

const isBroken = (verdict: Verdict | undefined) => verdict === 'fail' || verdict === 'warn'

/** The findings of a broken clause that its waiver does not name. A breach in words alone has none. */
const otherFindingsIn = ({ breaches = [] }: ClauseReport, { finding }: Waived): unknown[] =>
  finding === undefined
    ? []
    : breaches.map((breach) => breach.finding).filter((other) => !hasMembers(other, finding))

const hasMembers = (value: unknown, members: Readonly<Record<string, unknown>>): boolean =>
  isObject(value) &&
  Object.entries(members).every(([name, member]) =>
    isObject(member) ? hasMembers(value[name], member) : isDeepStrictEqual(value[name], member),
  )

function describeOtherFinding(waiver: Waived, clauses: readonly ClauseReport[]): string[] {
  const clause = clauses.find(({ id }) => id === waiver.clause)
  const [finding] = clause ? otherFindingsIn(clause, waiver) : []
  if (finding === undefined) return []
  return [
    `the waiver of ${waiver.clause} is for another finding than ${shown(finding, 300)}: the breach counts`,
  ]
}

function whyStale(verdict: Verdict | undefined, exists: boolean) {
  if (verdict === 'pass' || verdict === 'observed') return 'the clause passes'
  return exists ? undefined : 'no clause has this id'
}
