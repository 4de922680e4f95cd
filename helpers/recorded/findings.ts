// What recorded traffic shows of each clause.

import { NotDecidable, Trouble } from '../../engine/outcome.ts'
import type { Problem } from '../../engine/problem.ts'
import type { Owned } from '../service/judge.ts'

export type Finding = {
  /** how many exchanges decide it */
  count: number
  /** the first of them */
  witnesses: number[]
  problems: Problem[]
  /** of an observing clause */
  observed: Set<string | number>
}

const mostWitnesses = 3
/** The first few describe a service that breaks a sentence each time. */
const mostProblems = 20

export type Findings = {
  /** these clauses were decided by an exchange */
  decided(clauses: readonly string[], exchange: number): void
  /** what an exchange breaks, each by the clause that owns it */
  broken(problems: readonly Owned[]): void
  /** the same, of one clause */
  judged(clause: string, problems: readonly Problem[], exchange: number): void
  observed(clause: string, value: string | number, exchange: number): void
  readonly all: ReadonlyMap<string, Finding>
}

export function createFindings(): Findings {
  const all = new Map<string, Finding>()
  const of = (clause: string): Finding => {
    const known = all.get(clause) ?? { count: 0, witnesses: [], problems: [], observed: new Set() }
    all.set(clause, known)
    return known
  }
  const decide = (clause: string, exchange: number) => {
    const finding = of(clause)
    finding.count += 1
    if (finding.witnesses.length < mostWitnesses) finding.witnesses.push(exchange)
    return finding
  }
  const breaks = (clause: string, problem: Problem) => {
    const { problems } = of(clause)
    if (problems.length < mostProblems) problems.push(problem)
  }
  return {
    decided: (clauses, exchange) => {
      for (const clause of clauses) decide(clause, exchange)
    },
    broken: (problems) => {
      for (const { owner, ...problem } of problems) breaks(owner, problem)
    },
    judged: (clause, problems, exchange) => {
      decide(clause, exchange)
      for (const problem of problems) breaks(clause, problem)
    },
    observed: (clause, value, exchange) => {
      decide(clause, exchange).observed.add(value)
    },
    all,
  }
}

/** What a law leaves undecided, and what our limits cut short, says nothing of the service. */
export function unlessUndecided(error: unknown): undefined {
  if (!(error instanceof NotDecidable || error instanceof Trouble)) throw error
}
