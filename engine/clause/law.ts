import { countedOf } from '../counted.ts'

import type { Observation } from '../observation.ts'
import { exchangesOf } from '../origin.ts'
import { NotDecidable, Trouble, type Why } from '../outcome.ts'
import type { Problem } from '../problem.ts'
import { type Case, type CaseOrWhy, isUnasked, type Unasked, valueIn } from './case.ts'
import { asCase, isMarked } from './marked.ts'

/** A pure function from the value of a case to what is wrong with it. It may throw NotDecidable or Trouble. */
export type Law<Value> = (value: Value) => readonly Problem[]

export type Some<Value> = readonly [Value, ...Value[]]

export type Judging<Value> = {
  law: Law<Value>
  /** what the values are, as in "12 values", or a whole sentence about them */
  of: string | ((decided: Some<Value>) => string)
  none?: Why
  lacks?: (decided: readonly Value[]) => Why | undefined
}

/** How an observing clause describes its cases; `look` is as pure as a law. */
export type Looking<Value> = { look: (values: Some<Value>) => Observation; none?: Why }

/** What a body gives: cases, or values that know their exchanges themselves. */
export type Cases<Value> =
  | Iterable<Value | CaseOrWhy<Value>>
  | AsyncIterable<Value | CaseOrWhy<Value>>

/** the first exchanges of each role, and how many were judged */
export type Rests = { judged: number[]; control: number[]; before: number[]; judgedBy: number }

type Ruling<Value> = { problems: Problem[]; decided: Case<Value>[] }

const nothing: Why = ['data', 'there is nothing for this clause to judge', 'case']
const mostNamed = 12

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
export async function rule<Value extends object>(
  cases: Cases<Value>,
  { law, none = nothing, lacks }: Pick<Judging<Value>, 'law' | 'none' | 'lacks'>,
): Promise<Ruling<Value>> {
  const isGiven = Array.isArray(cases)
  const ruling: Ruling<Value> = { problems: [], decided: [] }
  const undecided: Unasked[] = []
  for await (const given of cases) {
    const judgement = await judgeSurely(asCase(given), law)
    if (isUnasked(judgement)) {
      undecided.push(judgement)
      continue
    }
    const smallest = await smallestOf(judgement, law)
    ruling.decided.push(smallest.asked)
    ruling.problems.push(...smallest.problems.map((problem) => withEvidence(problem, smallest)))
    if (!isGiven && ruling.problems.length > 0) break
  }
  if (ruling.problems.length > 0) return ruling
  const trouble = undecided.find((why) => why instanceof Trouble)
  if (trouble) throw trouble
  const [why = new NotDecidable(...none)] = undecided
  if (ruling.decided.length === 0) throw why
  const lacking = lacks?.(ruling.decided.map(valueIn))
  if (lacking) throw new NotDecidable(...lacking)
  return ruling
}

/** A case that its law decided. */
type Judgement<Value> = { asked: Case<Value>; problems: readonly Problem[] }

function judgeOnce<Value>(asked: CaseOrWhy<Value>, law: Law<Value>): Judgement<Value> | Unasked {
  if (isUnasked(asked)) return asked
  try {
    const value: Value | Unasked = valueIn(asked)
    return isUnasked(value) ? value : { asked, problems: law(value) }
  } catch (error) {
    if (!isUnasked(error)) throw error
    return error
  }
}

const isBroken = <Value>(judgement: Judgement<Value> | Unasked): judgement is Judgement<Value> =>
  !isUnasked(judgement) && judgement.problems.length > 0

const isSuspicion = (judgement: Judgement<unknown> | Unasked): boolean =>
  isBroken(judgement) || (judgement instanceof NotDecidable && judgement.why.cause === 'clause')

/**
 * A suspicion counts only if each new asking shows it again, and nothing changed meanwhile. A new case without
 * it acquits.
 */
async function judgeSurely<Value extends object>(
  first: CaseOrWhy<Value>,
  law: Law<Value>,
): Promise<Judgement<Value> | Unasked> {
  let asked = first
  let judgement = judgeOnce(asked, law)
  try {
    while (!isUnasked(asked) && asked.again && isSuspicion(judgement)) {
      const { ask, stoodStill = async () => true, otherwise } = asked.again
      await stoodStill()
      do {
        asked = asCase(await caseOrWhy(ask()))
        judgement = judgeOnce(asked, law)
      } while (isSuspicion(judgement) && !(await stoodStill()))
      if (otherwise && !isUnasked(judgement) && !isSuspicion(judgement)) throw otherwise()
    }
  } catch (error) {
    if (!isUnasked(error)) throw error
    return error
  }
  return judgement
}

const mostSimpler = 8

async function smallestOf<Value extends object>(broken: Judgement<Value>, law: Law<Value>) {
  let smallest = broken
  let asks = isBroken(broken) ? simplerThan(broken) : []
  for (let tried = 0; tried < mostSimpler; tried += 1) {
    const [ask, ...others] = asks
    if (!ask) break
    const next = await judgeSurely(asCase(await caseOrWhy(ask())), law)
    if (isBroken(next)) smallest = next
    asks = isBroken(next) ? simplerThan(next) : others
  }
  return smallest
}

const simplerThan = <Value>({ asked }: Judgement<Value>) => [...(asked.simpler?.() ?? [])]

/** What its law did not say itself comes from the case. */
function withEvidence<Value>(problem: Problem, { asked }: Judgement<Value>): Problem {
  const { control, before = [] } = problem
  const judged = problem.judged.length > 0 ? problem.judged : [...asked.judged]
  const isOther = (number: number) => !judged.includes(number)
  const controls = control.length > 0 || isMarked(asked) ? control : asked.control.filter(isOther)
  const isEarlier = (number: number) => isOther(number) && !controls.includes(number)
  const earlier = exchangesOf(...before, ...asked.before).filter(isEarlier)
  const differs = problem.differs ?? (control.length > 0 ? undefined : asked.differs)
  return {
    ...problem,
    judged,
    control: controls,
    ...(earlier.length > 0 ? { before: earlier } : {}),
    ...(differs ? { differs: [...differs] } : {}),
  }
}

export async function casesOf<Value extends object>(
  given: Cases<Value>,
  none: Why = nothing,
): Promise<Some<Case<Value>>> {
  const cases: Case<Value>[] = []
  let why: Unasked | undefined
  for await (const one of given) {
    const asked = asCase(one)
    if (isUnasked(asked)) why ??= asked
    else cases.push(asked)
  }
  const [first, ...others] = cases
  if (first === undefined) throw why ?? new NotDecidable(...none)
  return [first, ...others]
}

export function restsOf(decided: readonly Case<unknown>[]): Rests {
  const judged = exchangesOf(...decided.map((one) => one.judged))
  const isOther = (number: number) => !judged.includes(number)
  const control = exchangesOf(...decided.map((one) => one.control)).filter(isOther)
  const isEarlier = (number: number) => isOther(number) && !control.includes(number)
  const before = exchangesOf(...decided.map((one) => one.before)).filter(isEarlier)
  return {
    judged: judged.slice(0, mostNamed),
    control: control.slice(0, mostNamed),
    before: before.slice(0, mostNamed),
    judgedBy: judged.length,
  }
}

export function witnessOf<Value>(
  { of }: Pick<Judging<Value>, 'of'>,
  decided: readonly Case<Value>[],
): string {
  if (typeof of === 'string') return countedOf(decided.length, of)
  const [first, ...others] = decided
  return first ? of([valueIn(first), ...others.map(valueIn)]) : ''
}
