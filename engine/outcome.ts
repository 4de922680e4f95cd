import { distinctProblems, type Problem } from './problem.ts'
import { type Broken, type Cause, type Outcome, ownError } from './verdict.ts'

/** Trouble on the way to the service, or in the harness: the clause is inconclusive. */
export class Trouble extends Error {
  override name = 'Trouble'
  exchange?: number
  /** of the last answer, after which no more was tried */
  status?: number | undefined
}

/**
 * `data`: the service has nothing that shows the fact. `freedom`: a choice that the contract leaves open hides
 * it. `refused`: for a reason that only the operator knows; `declare` names what NOT_PERMITTED may contain
 * (default: the clause itself; null: nothing). `clause`: the named clauses own the missing fact.
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

export const firstLines = (text: string) => text.split('\n').slice(0, 12).join('\n').slice(0, 2000)

/** No error condemns the service. Errors come from other threads too, so compare names, not classes. */
export function outcomeOf(error: unknown): Outcome {
  const { name, message } = error instanceof Error ? error : { name: '', message: String(error) }
  const reason = firstLines(message.replace(/ \/\/ Object\.is equality$/m, ''))
  if (name === 'NotDecidable') {
    return { kind: 'undecided', reason, ...(error as NotDecidable).why }
  }
  if (name === 'Trouble' || name === 'FateUnknown') return { kind: 'trouble', reason }
  return { kind: 'trouble', reason: `${ownError}${name}: ${reason}` }
}

const maxBreaches = 20

export function brokenBy(problems: readonly Problem[]): Broken {
  const breaches = distinctProblems(problems)
  const more = breaches.length - maxBreaches
  return {
    kind: 'broken',
    breaches: breaches.slice(0, maxBreaches),
    ...(more > 0 ? { more } : {}),
  }
}

export async function allEnded<T>(begun: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(begun)
  return Promise.all(begun)
}
