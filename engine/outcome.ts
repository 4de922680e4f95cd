import { distinctProblems, type Problem, reasonOf } from './problem.ts'
import type { Cause, Outcome } from './verdict.ts'

/** Trouble on the way to the service, or in the harness: the clause is inconclusive. */
export class Trouble extends Error {
  override name = 'Trouble'
  exchange?: number
  /** of the last answer, after which no more was tried */
  status?: number | undefined
}

/**
 * Why a clause is not decided. `setting`: it is missing, or declares the clause not permitted. `data`: the
 * service holds nothing that would show the fact. `freedom`: a choice that the contract leaves open hides
 * it. `refused`: every try was refused for a reason that only the operator can know; `declare` names what
 * NOT_PERMITTED may hold (default: the clause itself; null: nothing, correct the setting instead).
 * `clause`: the named clauses own the missing fact.
 */
export type Why =
  | [cause: Exclude<Cause, 'clause' | 'refused'>, reason: string]
  | [cause: 'refused', reason: string, ...declare: string[] | [null]]
  | [cause: 'clause', reason: string, ...owners: [string, ...string[]]]

export class NotDecidable extends Error {
  override name = 'NotDecidable'
  readonly why: { cause: Cause; owners?: string[]; declare?: string[] }
  /** empty, so that vitest looks up no line of this suite: the message is about the service */
  readonly stacks = []

  constructor(...[cause, reason, ...named]: Why) {
    super(reason)
    const names = named.filter((each) => each !== null)
    this.why = {
      cause,
      ...(cause === 'clause' ? { owners: names } : {}),
      ...(cause === 'refused' && named.length > 0 ? { declare: names } : {}),
    }
  }
}

export class Breach extends Error {
  override name = 'Breach'
  /** vitest's own assertions have it too */
  readonly expected: string
  readonly breaches: Problem[]

  constructor(...breaches: readonly [Problem, ...Problem[]]) {
    super(reasonOf(breaches))
    this.breaches = [...breaches]
    this.expected = breaches[0].expected
  }
}

const firstLines = (message: string) =>
  message
    .replace(/ \/\/ Object\.is equality$/m, '')
    .split('\n')
    .slice(0, 12)
    .join('\n')
    .slice(0, 2000)

/**
 * Classifies an error that a clause's body threw. Only an assertion condemns: vitest's and our matchers'
 * errors have the own key `expected`. Anything else is our trouble. Errors come from other threads too, so
 * compare names, not classes.
 */
export function outcomeOf(error: unknown): Outcome {
  const { name, message } = error instanceof Error ? error : { name: '', message: String(error) }
  const reason = firstLines(message)
  if (name === 'Breach' || (error instanceof Error && Object.hasOwn(error, 'expected')))
    return brokenBy(breachesIn(error), reason)
  if (name === 'NotDecidable') {
    return { kind: 'undecided', reason, ...(error as NotDecidable).why }
  }
  if (name === 'Trouble' || name === 'FateUnknown') return { kind: 'trouble', reason }
  return { kind: 'trouble', reason: `internal error of the suite: ${name}: ${reason}` }
}

/** The outcome of a clause with these problems. */
export const brokenBy = (
  problems: readonly Problem[],
  reason = firstLines(reasonOf(problems)),
): Outcome => ({ kind: 'broken', reason, breaches: distinctProblems(problems) })

/** The problems behind an assertion: a Breach has them; our matchers pass them as `actual`. */
function breachesIn(error: unknown): Problem[] {
  const { breaches, actual } = error as { breaches?: unknown; actual?: unknown }
  return [breaches, actual].flatMap((each) => (Array.isArray(each) ? each.filter(isProblem) : []))
}

const isProblem = (value: unknown): value is Problem =>
  typeof value === 'object' && value !== null && 'sentence' in value && 'judged' in value

/** The results of all promises once each has settled. If several fail, a breach is thrown first. */
export async function allEnded<T>(begun: readonly Promise<T>[]): Promise<T[]> {
  const failed = (await Promise.allSettled(begun)).flatMap((each) =>
    each.status === 'rejected' ? [each.reason] : [],
  )
  if (failed.length > 0)
    throw failed.find((error) => outcomeOf(error).kind === 'broken') ?? failed[0]
  return Promise.all(begun)
}
