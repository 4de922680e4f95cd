import type { Observation } from '../../engine/observation.ts'
import { NotDecidable, Trouble } from '../../engine/outcome.ts'
import type { Problem } from '../../engine/problem.ts'
import type { Owned } from '../service/judge.ts'

export type Finding = {
  count: number
  /** the first of them; of an observing clause those in which it sees something new */
  cases: object[]
  problems: Problem[]
  looks: Set<string>
}

const mostWitnesses = 12
/** The first few are enough for a service that breaks a clause each time. */
const mostProblems = 20
/** A value that differs in more cases than this varies by nature. */
const mostCases = 100

export type Findings = ReturnType<typeof createFindings>

export function createFindings() {
  const all = new Map<string, Finding>()
  const findingOf = (clause: string): Finding => {
    const known = all.get(clause) ?? { count: 0, cases: [], problems: [], looks: new Set() }
    all.set(clause, known)
    return known
  }
  /** Cases of a clause, and what is wrong with them. */
  const judged = (clause: string, found: readonly Problem[], decided: readonly object[]) => {
    const finding = findingOf(clause)
    const { problems, cases } = finding
    finding.count += decided.length
    cases.push(...decided.slice(0, Math.max(0, mostWitnesses - cases.length)))
    problems.push(...found.slice(0, mostProblems - problems.length))
  }
  return {
    all: all as ReadonlyMap<string, Finding>,
    judged,
    /** Clauses that an exchange decides. */
    decided(clauses: readonly string[], exchange: number) {
      for (const clause of clauses) judged(clause, [], [{ exchange }])
    },
    /** What an exchange breaks, each by the clause that owns it. */
    broken(problems: readonly Owned[]) {
      for (const { owner, ...problem } of problems) judged(owner, [problem], [])
    },
    /** What an observing clause sees in cases. */
    looked(clause: string, cases: readonly object[], seen: Observation) {
      const finding = findingOf(clause)
      const look = JSON.stringify(seen)
      finding.count += cases.length
      if (finding.looks.has(look) || finding.looks.size === mostCases) return
      finding.looks.add(look)
      finding.cases.push(...cases)
    },
  }
}

/** What a law leaves undecided, or our limits cut short, does not show anything about the service. */
export function unlessUndecided(error: unknown): undefined {
  if (!(error instanceof NotDecidable || error instanceof Trouble)) throw error
}
