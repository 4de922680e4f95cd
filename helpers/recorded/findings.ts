import type { Noted } from '../../engine/clause/clause.ts'
import { type Cases, caseOrWhy, casesOf, rule } from '../../engine/clause/law.ts'
import { numbersIn, type Problem } from '../../engine/problem.ts'
import type { Owned } from '../service/judge.ts'

/** What a clause found: how many cases, the first of them, and what is wrong. */
export type Finding = { count: number; cases: object[]; problems: Problem[] }
export type Findings = ReturnType<typeof createFindings>

const mostCases = 100
/** The first few are enough for a service that breaks a clause each time. */
const mostProblems = 20

export function createFindings() {
  const all = new Map<string, Finding>()
  const judged = (clause: string, found: readonly Problem[], decided: readonly object[]) => {
    const { count, cases, problems } = all.get(clause) ?? { count: 0, cases: [], problems: [] }
    all.set(clause, {
      count: count + decided.length,
      cases: [...cases, ...decided].slice(0, mostCases),
      problems: [...problems, ...found].slice(0, mostProblems),
    })
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
  }
}

/** What a law leaves undecided, or our limits cut short, does not show anything about the service. */
async function* asFarAsShown(ask: () => Cases<object> | Promise<Cases<object>>) {
  try {
    yield* await ask()
  } catch (error) {
    yield caseOrWhy(Promise.reject(error))
  }
}

/** Judges the cases of a clause as far as they are shown, if a breach is in exchanges that can show one. */
export async function decide(
  { judged }: Findings,
  id: string,
  judging: Noted['judging'],
  ask: () => Cases<object> | Promise<Cases<object>>,
  isSure: (exchange: number) => boolean = () => true,
) {
  const cases = asFarAsShown(ask)
  if ('look' in judging) return judged(id, [], await casesOf<object>(cases, judging.none))
  const { problems, decided } = await rule<object>(cases, judging)
  if (numbersIn(problems).every(isSure)) judged(id, problems, decided)
}
