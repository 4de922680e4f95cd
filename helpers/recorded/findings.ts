// What recorded traffic shows of each clause.

import { type Rests, restsOf, type Some } from '../../engine/clause/law.ts'
import type { Observation } from '../../engine/observation.ts'
import { originOf } from '../../engine/origin.ts'
import { NotDecidable, Trouble } from '../../engine/outcome.ts'
import type { Problem } from '../../engine/problem.ts'
import type { Owned } from '../service/judge.ts'

export type Finding = {
  /** how many cases decide it */
  count: number
  /** what the first of them depend on */
  rests: Rests
  problems: Problem[]
  /** of an observing clause: those in which it sees something new */
  cases: object[]
}

const mostWitnesses = 12
/** The first few are enough for a service that breaks a clause each time. */
const mostProblems = 20
/** A value that differs in more cases than this varies by nature. */
const mostCases = 100

export type Findings = ReturnType<typeof createFindings>

export function createFindings() {
  const all = new Map<string, Finding>()
  const looks = new Map<string, Set<string>>()
  const of = (clause: string): Finding => {
    const rests = { judged: [], control: [], before: [], judgedBy: 0 }
    const none = { count: 0, rests, problems: [], cases: [] }
    const known = all.get(clause) ?? none
    all.set(clause, known)
    return known
  }
  const decide = (clause: string, by: number | Rests) => {
    const finding = of(clause)
    const { rests } = finding
    const rest = typeof by === 'number' ? restsOf([{ exchange: by }]) : by
    finding.count += 1
    rests.judgedBy += rest.judgedBy
    if (rests.judged.length < mostWitnesses)
      for (const role of ['judged', 'control', 'before'] as const)
        rests[role] = originOf(...rests[role], ...rest[role]).slice(0, mostWitnesses)
    return finding
  }
  const breaks = (clause: string, problem: Problem) => {
    const { problems } = of(clause)
    if (problems.length < mostProblems) problems.push(problem)
  }
  return {
    /** these clauses were decided by an exchange */
    decided(clauses: readonly string[], exchange: number) {
      for (const clause of clauses) decide(clause, exchange)
    },
    /** what an exchange breaks, each by the clause that owns it */
    broken(problems: readonly Owned[]) {
      for (const { owner, ...problem } of problems) breaks(owner, problem)
    },
    /** the same, of one clause */
    judged(clause: string, problems: readonly Problem[], by: number | Rests) {
      decide(clause, by)
      for (const problem of problems) breaks(clause, problem)
    },
    /** what an observing clause sees in a case */
    looked(clause: string, one: object, seen: Observation) {
      const { cases } = decide(clause, restsOf([one]))
      const known = looks.get(clause) ?? new Set()
      looks.set(clause, known)
      const look = JSON.stringify(seen)
      if (known.has(look) || cases.length === mostCases) return
      known.add(look)
      cases.push(one)
    },
    /** the cases that an observing clause describes together */
    saw(clause: string, cases: Some<object>) {
      if (all.has(clause)) return
      decide(clause, restsOf(cases)).cases.push(...cases)
    },
    all: all as ReadonlyMap<string, Finding>,
  }
}

/** What a law leaves undecided, or our limits cut short, does not show anything about the service. */
export function unlessUndecided(error: unknown): undefined {
  if (!(error instanceof NotDecidable || error instanceof Trouble)) throw error
}
