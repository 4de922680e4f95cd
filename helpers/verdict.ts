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

/**
 * The verdict on a run: nothing that was not checked counts as passed, and a run that decided no must
 * of those it was to check has checked nothing.
 */
export function runVerdictOf(clauses: readonly { level: Level; verdict: Verdict }[]): RunVerdict {
  if (clauses.some(({ verdict }) => verdict === 'fail')) return 'nonconformant'
  const musts = clauses.filter(({ level }) => level === 'must')
  const checked = (musts.length > 0 ? musts : clauses).some(isDecided)
  const lost = clauses.some(({ level, verdict }) => level === 'must' && verdict === 'inconclusive')
  return checked && !lost ? 'conformant' : 'inconclusive'
}

const isDecided = ({ verdict }: { verdict: Verdict }) => verdict === 'pass' || verdict === 'warn'
