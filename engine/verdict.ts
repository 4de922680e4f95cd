import { matchesAny } from './glob.ts'
import type { Problem } from './problem.ts'

export type Level = 'must' | 'should' | 'observe'

export type Verdict = 'pass' | 'fail' | 'warn' | 'skip' | 'inconclusive' | 'observed'

export const causes = ['setting', 'data', 'freedom', 'refused', 'clause'] as const

export type Cause = (typeof causes)[number]

export type Outcome =
  | { kind: 'held'; observed?: unknown }
  | Broken
  | ({ kind: 'undecided'; reason: string } & WhyUndecided)
  /** `otherWriter`: another writer changed the task */
  | { kind: 'trouble'; reason: string; otherWriter?: true }
  /** the code of the clause threw */
  | { kind: 'error'; reason: string }

export type WhyUndecided = {
  cause: Cause
  owners?: string[]
  declare?: string[]
  settings?: NeededSettings
  missing?: Missing
}

/** The settings that would decide a clause: those to set, and those to unset or change. */
export type NeededSettings = { set?: readonly string[]; change?: readonly string[] }

/** No case for the clause to judge, or no response in the record of a replay. */
export type Missing = 'case' | 'response'

/** `more`: how many other breaches were found, which are not kept */
export type Broken = { kind: 'broken'; breaches: Problem[]; more?: number }

export function verdictOf(level: Level, { kind }: Pick<Outcome, 'kind'>, strict: boolean): Verdict {
  switch (kind) {
    case 'held':
      return level === 'observe' ? 'observed' : 'pass'
    case 'broken':
      // An observing clause judges nothing: what broke in it leaves it unobserved.
      if (level === 'observe') return 'skip'
      return level === 'must' || strict ? 'fail' : 'warn'
    case 'undecided':
      return 'skip'
    case 'trouble':
    case 'error':
      return 'inconclusive'
  }
}

/** `incomplete`: a required clause was not checked. */
export type RunVerdict = 'conformant' | 'nonconformant' | 'incomplete' | 'inconclusive'

/** `finding`: members that the finding has which is accepted; default: every breach of the clause is */
export type Waiver = {
  reason: string
  until: string
  ticket?: string
  finding?: Readonly<Record<string, unknown>>
}

export type Weighed = {
  id: string
  level: Level
  verdict: Verdict
  waiver?: Waiver
  cause?: Cause
  /** the code of the clause threw */
  ownError?: true
  /** what is wrong with the reference to the owner of the missing fact */
  dangling?: string
}

/** A part of the contract in which a run with these settings has to decide something. */
export type Area = {
  name: string
  clauses: string[]
  declared?: true
}

/** What was not checked does not count as passed, and a waived failure does not count. */
export function runVerdictOf(
  clauses: readonly Weighed[],
  areas: readonly Area[] = [],
): Exclude<RunVerdict, 'incomplete'> {
  if (clauses.some(({ verdict, waiver }) => verdict === 'fail' && !waiver)) return 'nonconformant'
  const lost = clauses.some(isLost) || undecidedAreas(clauses, areas).length > 0
  return isChecked(clauses) && !lost ? 'conformant' : 'inconclusive'
}

export const isLost = ({ level, verdict, cause, dangling, ownError }: Weighed): boolean =>
  dangling !== undefined ||
  ownError === true ||
  (level === 'must' && (cause === 'refused' || verdict === 'inconclusive'))

/** The areas without a decided must, unless every one was skipped for data, freedom or a declaration. */
export function undecidedAreas(clauses: readonly Weighed[], areas: readonly Area[]): Area[] {
  return areas.filter(({ clauses: ids, declared }) => {
    const musts = clauses.filter(({ id, level }) => level === 'must' && matchesAny(id, ids))
    const isOpen = ({ cause }: Weighed) =>
      cause === 'data' || cause === 'freedom' || (declared && cause === 'setting')
    return musts.length > 0 && !musts.some(isDecided) && !musts.every(isOpen)
  })
}

export function isChecked(clauses: readonly Pick<Weighed, 'level' | 'verdict'>[]): boolean {
  const musts = clauses.filter(({ level }) => level === 'must')
  return (musts.length > 0 ? musts : clauses).some(isDecided)
}

const isDecided = ({ verdict }: { verdict: Verdict }): boolean =>
  verdict === 'pass' || verdict === 'warn' || verdict === 'fail'
