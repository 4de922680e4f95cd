export type Level = 'must' | 'should' | 'observe'

export type Verdict = 'pass' | 'fail' | 'warn' | 'skip' | 'inconclusive' | 'observed'

/** What became of a clause's body, before its level is considered. */
export type Outcome =
  | { kind: 'held'; observed?: unknown }
  | { kind: 'broken'; reason: string }
  | { kind: 'undecided'; reason: string }
  | { kind: 'trouble'; reason: string }

/** The verdict on a clause, from nothing but its level and what became of it. */
export function verdictOf(level: Level, outcome: Outcome, strict: boolean): Verdict {
  switch (outcome.kind) {
    case 'held':
      return level === 'observe' ? 'observed' : 'pass'
    case 'broken':
      // An observing clause judges nothing: what it stumbled over leaves it unobserved.
      if (level === 'observe') return 'skip'
      return level === 'must' || strict ? 'fail' : 'warn'
    case 'undecided':
      return 'skip'
    case 'trouble':
      return 'inconclusive'
  }
}

export type RunVerdict = 'conformant' | 'nonconformant' | 'inconclusive'

/** A failure that somebody answers for until a day. */
export type Waiver = { reason: string; until: string; ticket?: string }

type Weighed = { level: Level; verdict: Verdict; waiver?: Waiver }

/**
 * The verdict on a run: nothing that was not checked counts as passed, and a failure that is waived
 * is not held against the service.
 */
export function runVerdictOf(clauses: readonly Weighed[]): RunVerdict {
  if (clauses.some(({ verdict, waiver }) => verdict === 'fail' && !waiver)) return 'nonconformant'
  const lost = clauses.some(({ level, verdict }) => level === 'must' && verdict === 'inconclusive')
  return isChecked(clauses) && !lost ? 'conformant' : 'inconclusive'
}

/** A run that decided no must of those it was to check has checked nothing. */
export function isChecked(clauses: readonly Weighed[]): boolean {
  const musts = clauses.filter(({ level }) => level === 'must')
  return (musts.length > 0 ? musts : clauses).some(({ verdict }) => decided.includes(verdict))
}

const decided: Verdict[] = ['pass', 'warn', 'fail']
