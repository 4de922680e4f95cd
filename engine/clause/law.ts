import { countedOf } from '../counted.ts'

import type { Observation } from '../observation.ts'
import {
  anewOf,
  beforeOf,
  controlsOf,
  originOf,
  partsOf,
  type Recipe,
  smallerOf,
} from '../origin.ts'
import { NotDecidable, Trouble, type Why } from '../outcome.ts'
import type { Problem } from '../problem.ts'

/** A pure function from one case to what is wrong with it. It may throw NotDecidable or Trouble. */
export type Law<Case> = (one: Case) => readonly Problem[]

export type Some<Case> = readonly [Case, ...Case[]]

export type Judging<Case> = {
  law: Law<Case>
  /** what the cases are, as in "12 values", or a whole sentence about them */
  of: string | ((decided: Some<Case>) => string)
  none?: Why
  lacks?: (decided: readonly Case[]) => Why | undefined
}

/** How an observing clause describes its cases; `look` is as pure as a law. */
export type Looking<Case> = { look: (cases: Some<Case>) => Observation; none?: Why }

export type Unasked = NotDecidable | Trouble

export type Cases<Case> = Iterable<Case | Unasked> | AsyncIterable<Case | Unasked>

/** the first exchanges of each role, and how many were judged */
export type Rests = { judged: number[]; control: number[]; before: number[]; judgedBy: number }

type Ruling<Case> = { problems: Problem[]; decided: Case[] }

const nothing: Why = ['data', 'there is nothing for this clause to judge', 'case']
const mostNamed = 12

const isUnasked = (error: unknown): error is Unasked =>
  error instanceof NotDecidable || error instanceof Trouble

export const caseOrWhy = <Case>(asked: Promise<Case>): Promise<Case | Unasked> =>
  asked.catch((error: unknown) => {
    if (!isUnasked(error)) throw error
    return error
  })

export async function* inTurn<Value, Case>(
  values: readonly Value[],
  ask: (value: Value) => Promise<Case | Unasked>,
) {
  for (const value of values) yield caseOrWhy(ask(value))
}

/** A clause is broken if one case is. A pass needs a case that decides, and no trouble with any other. */
export async function rule<Case extends object>(
  cases: Cases<Case>,
  { law, none = nothing, lacks }: Pick<Judging<Case>, 'law' | 'none' | 'lacks'>,
): Promise<Ruling<Case>> {
  const isGiven = Array.isArray(cases)
  const ruling: Ruling<Case> = { problems: [], decided: [] }
  const left: Unasked[] = []
  for await (const one of cases) {
    const judged = await judgedSurely(one, law)
    if (isUnasked(judged)) left.push(judged)
    else {
      const { last, found } = await smallestOf(judged, law)
      ruling.decided.push(last)
      ruling.problems.push(...found.map((each) => withBefore(each, last)))
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

type Judged<Case> = { last: Case; found: readonly Problem[] }

function judgedOnce<Case extends object>(last: Case | Unasked, law: Law<Case>) {
  if (isUnasked(last)) return last
  try {
    return { last, found: law(last) }
  } catch (error) {
    if (!isUnasked(error)) throw error
    return error
  }
}

const isSuspicion = (judged: Judged<object> | Unasked) =>
  'found' in judged
    ? judged.found.length > 0
    : judged instanceof NotDecidable && judged.why.cause === 'clause'

/**
 * A suspicion counts only if each new asking shows it again, and nothing changed meanwhile. A new case without
 * it acquits.
 */
async function judgedSurely<Case extends object>(
  one: Case | Unasked,
  law: Law<Case>,
): Promise<Judged<Case> | Unasked> {
  let judged = judgedOnce(one, law)
  try {
    for (let recipe = anewOf(one); recipe && isSuspicion(judged); ) {
      const { ask, stoodStill, otherwise }: Recipe = recipe
      await stoodStill()
      do {
        const next = (await caseOrWhy(ask())) as Case | Unasked
        judged = judgedOnce(next, law)
        recipe = anewOf(next)
      } while (isSuspicion(judged) && !(await stoodStill()))
      if (otherwise && 'found' in judged && !isSuspicion(judged)) throw otherwise()
    }
  } catch (error) {
    if (!isUnasked(error)) throw error
    return error
  }
  return judged
}

const mostSmaller = 8

async function smallestOf<Case extends object>(judged: Judged<Case>, law: Law<Case>) {
  let least = judged
  let asks = judged.found.length > 0 ? smallerOf(judged.last) : []
  for (let tried = 0; tried < mostSmaller; tried += 1) {
    const [ask, ...others] = asks
    if (!ask) break
    const next = await judgedSurely((await caseOrWhy(ask())) as Case | Unasked, law)
    const isBroken = 'found' in next && next.found.length > 0
    if (isBroken) least = next
    asks = isBroken ? smallerOf(next.last) : others
  }
  return least
}

const withBefore = (problem: Problem, one: object): Problem => {
  const { judged, control, before = [] } = problem
  const own = originOf(...before, ...partsOf(one).map(beforeOf))
  const more = own.filter((each) => !judged.includes(each) && !control.includes(each))
  return more.length > 0 ? { ...problem, before: more } : problem
}

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
  const few = (all: number[]) => all.slice(0, mostNamed)
  return {
    judged: few(judged),
    control: few(control),
    before: few(before),
    judgedBy: judged.length,
  }
}

export const witnessOf = <Case>(
  { of }: Pick<Judging<Case>, 'of'>,
  decided: readonly Case[],
): string => (typeof of === 'string' ? countedOf(decided.length, of) : of(decided as Some<Case>))
