import { matchesAny } from './glob.ts'
import type { Problem } from './problem.ts'

export type Level = 'must' | 'should' | 'observe'

export type Verdict = 'pass' | 'fail' | 'warn' | 'skip' | 'inconclusive' | 'observed'

/** Why a clause is not decided: one of five, and nothing else (rule R7). */
export const causes = ['setting', 'data', 'freedom', 'refused', 'clause'] as const

export type Cause = (typeof causes)[number]

/** What became of a clause's body, before its level is considered. */
export type Outcome =
  | { kind: 'held'; observed?: unknown }
  | { kind: 'broken'; reason: string; breaches: Problem[] }
  | { kind: 'undecided'; reason: string; cause: Cause; owners?: string[]; declare?: string[] }
  | { kind: 'trouble'; reason: string }

/** The verdict on a clause, from nothing but its level and what became of it. */
export function verdictOf(
  level: Level,
  outcome: { kind: Outcome['kind'] },
  strict: boolean,
): Verdict {
  switch (outcome.kind) {
    case 'held':
      return level === 'observe' ? 'observed' : 'pass'
    case 'broken':
      // An observing clause judges nothing: what broke in it leaves it unobserved.
      if (level === 'observe') return 'skip'
      return level === 'must' || strict ? 'fail' : 'warn'
    case 'undecided':
      return 'skip'
    case 'trouble':
      return 'inconclusive'
  }
}

/** `incomplete`: a clause that was required was not checked. */
export type RunVerdict = 'conformant' | 'nonconformant' | 'incomplete' | 'inconclusive'

/** A known breach that does not fail the run until a day. */
export type Waiver = { reason: string; until: string; ticket?: string }

/** What the verdict on a run goes by. */
export type Weighed = {
  id: string
  level: Level
  verdict: Verdict
  waiver?: Waiver
  cause?: Cause
  /** what is wrong with the reference to the clause that owns the missing fact */
  dangling?: string
}

/** A part of the contract that a run with these settings has to decide something of. */
export type Area = {
  name: string
  clauses: string[]
  /** the settings declare that some of its clauses are not to be checked */
  declared?: true
}

/**
 * The verdict on a run: nothing that was not checked counts as passed, nothing hides in a skip, and a
 * failure that is waived is not held against the service.
 */
export function runVerdictOf(
  clauses: readonly Weighed[],
  areas: readonly Area[] = [],
): Exclude<RunVerdict, 'incomplete'> {
  if (clauses.some(({ verdict, waiver }) => verdict === 'fail' && !waiver)) return 'nonconformant'
  const lost = clauses.some(isLost) || undecidedAreas(clauses, areas).length > 0
  return isChecked(clauses) && !lost ? 'conformant' : 'inconclusive'
}

/** Whether a clause keeps a run without failures from being conformant. */
export const isLost = ({ level, verdict, cause, dangling }: Weighed): boolean =>
  dangling !== undefined ||
  (level === 'must' && (verdict === 'inconclusive' || cause === 'refused'))

/** The areas of which not one must was decided, but for want of data, by a free choice, as declared. */
export function undecidedAreas(clauses: readonly Weighed[], areas: readonly Area[]): Area[] {
  return areas.filter((area) => {
    const musts = clauses.filter(
      ({ id, level }) => level === 'must' && matchesAny(id, area.clauses),
    )
    const isOpen = ({ cause }: Weighed) =>
      cause === 'data' || cause === 'freedom' || (area.declared && cause === 'setting')
    return musts.length > 0 && !musts.some(isDecided) && !musts.every(isOpen)
  })
}

/** A run that decided no must of those it was to check has checked nothing. */
export function isChecked(clauses: readonly Pick<Weighed, 'level' | 'verdict'>[]): boolean {
  const musts = clauses.filter(({ level }) => level === 'must')
  return (musts.length > 0 ? musts : clauses).some(isDecided)
}

export const isDecided = ({ verdict }: { verdict: Verdict }): boolean =>
  verdict === 'pass' || verdict === 'warn' || verdict === 'fail'
