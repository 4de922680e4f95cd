import { exchangesOf, type Origin } from './origin.ts'
import { distinctProblems, type Problem } from './problem.ts'
import type { Broken, Missing, NeededSettings, Outcome, WhyUndecided } from './verdict.ts'

/** Trouble on the way to the service, or in the harness: the clause is inconclusive. */
export class Trouble extends Error {
  override name = 'Trouble'
  exchange?: number
  /** of the last answer, after which no more was tried */
  status?: number | undefined
  /** another writer changed the task */
  otherWriter?: true
}

/**
 * `setting`: the reason names the settings for people. `data`: the service has nothing that shows the fact.
 * `freedom`: a choice that the contract leaves open hides it. `refused`: for a reason that only the operator knows; `declare` names what NOT_PERMITTED may contain
 * (default: the clause itself; null: nothing). `clause`: the named clauses own the missing fact.
 */
export type Why =
  | [cause: 'setting', reason: string, settings: NeededSettings]
  | [cause: 'data', reason: string, missing?: Missing]
  | [cause: 'freedom', reason: string]
  | [cause: 'refused', reason: string, ...declare: string[] | [null]]
  | [cause: 'clause', reason: string, ...owners: [string, ...string[]]]

export class NotDecidable extends Error {
  override name = 'NotDecidable'
  readonly why: WhyUndecided
  /** the answers that say why, if some do */
  exchanges: readonly number[] = []
  /** empty, so that vitest looks up no line of this suite: the message is about the service */
  readonly stacks = []

  /** Because of what these answers say. */
  static of(answers: Origin, ...why: Why): NotDecidable {
    return Object.assign(new NotDecidable(...why), { exchanges: exchangesOf(answers) })
  }

  constructor(...why: Why) {
    const [, reason] = why
    super(reason)
    this.why = factsOf(why)
  }
}

function factsOf(why: Why): WhyUndecided {
  switch (why[0]) {
    case 'setting':
      return { cause: 'setting', settings: why[2] }
    case 'data':
      return { cause: 'data', ...(why[2] ? { missing: why[2] } : {}) }
    case 'freedom':
      return { cause: 'freedom' }
    case 'refused': {
      const [cause, , ...named] = why
      const declare = named.filter((name) => name !== null)
      return { cause, ...(named.length > 0 ? { declare } : {}) }
    }
    case 'clause': {
      const [cause, , ...owners] = why
      return { cause, owners }
    }
  }
}

/** Why a clause waits for settings, as in "set USER_IDS: users to assign to". */
export const toSet = (names: readonly string[], what: string, conjunction = 'and'): Why => [
  'setting',
  `set ${names.join(` ${conjunction} `)}${what}`,
  { set: names },
]

/** Why a setting keeps a clause from being decided, as in "READ_ONLY is set". */
export const toChange = (name: string, reason: string): Why => [
  'setting',
  reason,
  { change: [name] },
]

export const firstLines = (text: string) => text.split('\n').slice(0, 12).join('\n').slice(0, 2000)

/** No error condemns the service. Errors come from other threads too, so compare names, not classes. */
export function outcomeOf(error: unknown): Outcome {
  const { name, message } = error instanceof Error ? error : { name: '', message: String(error) }
  const reason = firstLines(message.replace(/ \/\/ Object\.is equality$/m, ''))
  if (name === 'NotDecidable') {
    return { kind: 'undecided', reason, ...(error as NotDecidable).why }
  }
  if (name === 'Trouble' || name === 'FateUnknown') {
    const { otherWriter } = error as Trouble
    return { kind: 'trouble', reason, ...(otherWriter ? { otherWriter } : {}) }
  }
  return { kind: 'error', reason: `internal error of the suite: ${name}: ${reason}` }
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
