import { distinctProblems, type Problem, reasonOf } from './problem.ts'
import type { Cause, Outcome } from './verdict.ts'

/** Trouble on the way to the service, or in the harness: the clause is inconclusive. */
export class Trouble extends Error {
  override name = 'Trouble'
  /** the number of the exchange that it came of, where there was one */
  exchange?: number
  /** the last answer asked for patience (429), and got no more of it */
  tooMany = false
}

/**
 * What a clause that is not decided has to say. `setting`: it is missing, or declares that this is not
 * to be checked. `data`: the service holds nothing that would show it. `freedom`: a choice that the
 * contract leaves open. `refused`: every try was refused for a reason that only the operator can know,
 * with what the settings may declare not to be permitted; left out: the clause itself; null: nothing,
 * for the setting that the reason names is to be corrected.
 * `clause`: other clauses own the missing fact, and are named by id.
 */
export type Why =
  | [cause: Exclude<Cause, 'clause' | 'refused'>, reason: string]
  | [cause: 'refused', reason: string, ...declare: string[] | [null]]
  | [cause: 'clause', reason: string, ...owners: [string, ...string[]]]

/** Ends a clause undecided, with its cause. */
export class NotDecidable extends Error {
  override name = 'NotDecidable'
  readonly why: { cause: Cause; owners?: string[]; declare?: string[] }
  /** empty, so that no line of this suite is looked up for it: what it says is of the service */
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

/** A fact about the service that breaks the contract: the clause is broken. */
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
 * What an error thrown by a clause's body says of the service. Only an assertion condemns; vitest's
 * own and our matchers' failures carry the own key `expected`. Anything else is our trouble. Errors
 * come from other threads as well: they are told by name and not by class.
 */
export function outcomeOf(error: unknown): Outcome {
  const { name, message } = error instanceof Error ? error : { name: '', message: String(error) }
  const reason = firstLines(message)
  if (name === 'Breach' || (error instanceof Error && Object.hasOwn(error, 'expected')))
    return { kind: 'broken', reason, breaches: distinctProblems(breachesIn(error)) }
  if (name === 'NotDecidable') {
    return { kind: 'undecided', reason, ...(error as NotDecidable).why }
  }
  if (name === 'Trouble' || name === 'FateUnknown') return { kind: 'trouble', reason }
  return { kind: 'trouble', reason: `internal error of the suite: ${name}: ${reason}` }
}

/** The problems that an assertion was made of: a Breach has them, a matcher of ours hands them on as what came. */
function breachesIn(error: unknown): Problem[] {
  const { breaches, actual } = error as { breaches?: unknown; actual?: unknown }
  return [breaches, actual].flatMap((each) => (Array.isArray(each) ? each.filter(isProblem) : []))
}

const isProblem = (value: unknown): value is Problem =>
  typeof value === 'object' && value !== null && 'sentence' in value && 'judged' in value

/** What all of these give, once each has ended; where several fail, a breach is told first. */
export async function allEnded<T>(begun: readonly Promise<T>[]): Promise<T[]> {
  const failed = (await Promise.allSettled(begun)).flatMap((each) =>
    each.status === 'rejected' ? [each.reason] : [],
  )
  if (failed.length > 0)
    throw failed.find((error) => outcomeOf(error).kind === 'broken') ?? failed[0]
  return Promise.all(begun)
}
