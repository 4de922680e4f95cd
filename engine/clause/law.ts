// A clause asks for cases, its law judges them: what the engine does with both.

import type { Observation } from '../observation.ts'
import { anewOf, beforeOf, controlsOf, originOf, partsOf } from '../origin.ts'
import { NotDecidable, outcomeOf, Trouble, type Why } from '../outcome.ts'
import type { Problem } from '../problem.ts'

/** A pure function from one case to what is wrong with it. It may throw NotDecidable or Trouble. */
export type Law<Case> = (one: Case) => readonly Problem[]

/** How recorded traffic shows a case; `needs`: what it would take, in a word, if none can. */
export type Source<Moment, Case, Said> =
  | { seen: (moment: Moment) => NoInfer<Case> | undefined; needs?: never }
  | ({ seen?: never } & (Said extends { needs: string } ? { needs?: string } : { needs: string }))

/** One case at least. */
export type Some<Case> = readonly [Case, ...Case[]]

/** How a clause judges its cases. */
export type Judging<Case> = {
  law: Law<Case>
  /** what the cases are, as in "12 values", or a whole sentence about them */
  of: string | ((decided: Some<Case>) => string)
  /** why the clause is undecided without a case */
  none?: Why
  /** why these cases, though none is broken, are not enough for a pass */
  lacks?: (decided: readonly Case[]) => Why | undefined
}

/** How an observing clause describes its cases; `look` is as pure as a law. */
export type Looking<Case> = { look: (cases: Some<Case>) => Observation; none?: Why }

/** What could not be asked for, in place of its case. */
export type Unasked = NotDecidable | Trouble

/** What a body returns. It may yield cases instead: then nothing is asked for after the first breach. */
export type Cases<Case> = Iterable<Case | Unasked> | AsyncIterable<Case | Unasked>

/** What a verdict depends on: the first exchanges of each role, and how many were judged. */
export type Rests = { judged: number[]; control: number[]; before: number[]; judgedBy: number }

export type Ruling<Case> = { problems: Problem[]; decided: Case[] }

export const nothing: Why = ['data', 'there is nothing for this clause to judge']
/** Of each role, so many exchanges are named. */
const mostNamed = 12

const isUnasked = (error: unknown): error is Unasked =>
  error instanceof NotDecidable || error instanceof Trouble

/** A case, or why it could not be asked for; the clause is decided by the others. */
export const caseOrWhy = <Case>(asked: Promise<Case>): Promise<Case | Unasked> =>
  asked.catch((error: unknown) => {
    if (!isUnasked(error)) throw error
    return error
  })

/**
 * Judges every case; the clause is broken if one is. A pass needs a case that decides, and no trouble with
 * any other.
 */
export async function rule<Case extends object>(
  cases: Cases<Case>,
  { law, none = nothing, lacks }: Pick<Judging<Case>, 'law' | 'none' | 'lacks'>,
): Promise<Ruling<Case>> {
  const isGiven = Array.isArray(cases)
  const ruling: Ruling<Case> = { problems: [], decided: [] }
  const left: Unasked[] = []
  for await (const one of cases) {
    try {
      if (isUnasked(one)) throw one
      const { last, found } = await judged(one, law)
      ruling.decided.push(last)
      ruling.problems.push(...found.map((each) => withBefore(each, last)))
    } catch (error) {
      if (!isUnasked(error)) throw error
      left.push(error)
    }
    if (!isGiven && ruling.problems.length > 0) break
  }
  if (ruling.problems.length > 0) return ruling
  const trouble = left.find((each) => each instanceof Trouble)
  if (trouble) throw trouble
  const [why = new NotDecidable(...none)] = left
  if (ruling.decided.length === 0) throw why
  const lacking = lacks?.(ruling.decided)
  if (lacking) throw new NotDecidable(...lacking)
  return ruling
}

/** A suspicion counts only if the case shows it again, each time that it can be asked for anew. */
async function judged<Case extends object>(one: Case, law: Law<Case>) {
  let last = one
  let found = law(one)
  for (let again = anewOf(one); again && found.length > 0; again = anewOf(last)) {
    last = (await again.ask()) as Case
    found = law(last)
    if (again.otherwise && found.length === 0) throw again.otherwise()
  }
  return { last, found }
}

const withBefore = (problem: Problem, one: object): Problem => {
  const { judged, control, before = [] } = problem
  const own = originOf(...before, ...partsOf(one).map(beforeOf))
  const more = own.filter((each) => !judged.includes(each) && !control.includes(each))
  return more.length > 0 ? { ...problem, before: more } : problem
}

/** The cases of an observing clause, as far as they could be asked for. */
export async function casesOf<Case extends object>(
  cases: Cases<Case>,
  none: Why = nothing,
): Promise<Some<Case>> {
  const found: Case[] = []
  let why: Unasked | undefined
  for await (const one of cases)
    if (isUnasked(one)) why ??= one
    else found.push(one)
  const [first, ...others] = found
  if (first === undefined) throw why ?? new NotDecidable(...none)
  return [first, ...others]
}

export function restsOf(decided: readonly object[]): Rests {
  const parts = decided.flatMap(partsOf)
  const judged = originOf(...parts)
  const apart = (numbers: number[], ...known: number[][]) =>
    numbers.filter((each) => !known.some((other) => other.includes(each)))
  const control = apart(originOf(...decided.flatMap(controlsOf)), judged)
  const before = apart(originOf(...parts.map(beforeOf)), judged, control)
  const [first, beside, earlier] = [judged, control, before].map((all) => all.slice(0, mostNamed))
  return {
    judged: first ?? [],
    control: beside ?? [],
    before: earlier ?? [],
    judgedBy: judged.length,
  }
}

/** What a pass says: how many cases of what were judged. There is one at least, or it is no pass. */
export const witnessOf = <Case>(
  { of }: Pick<Judging<Case>, 'of'>,
  decided: readonly Case[],
): string => (typeof of === 'string' ? `${decided.length} ${of}` : of(decided as Some<Case>))

/** What became of a body that only asks: whatever condemns there is our mistake. */
export function outcomeOfAsking(error: unknown): ReturnType<typeof outcomeOf> {
  const outcome = outcomeOf(error)
  if (outcome.kind !== 'broken') return outcome
  return {
    kind: 'trouble',
    reason: `internal error of the suite: a body that asks condemned: ${outcome.reason}`,
  }
}
