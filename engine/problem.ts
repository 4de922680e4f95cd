import { beforeOf, controlOf, type Origin, originOf } from './origin.ts'

export type Problem = {
  /** the fact, then the expectation */
  sentence: string
  expected: string
  got: string
  judged: number[]
  control: number[]
  /** a script sends these first */
  before?: number[]
  decides?: Decides
  /** where the judged request differs from its control, as "header if-match" */
  differs?: string[]
  again?: Again
  metBy?: string[]
}

export type Decides = Readonly<Record<string, string>>

/** How a script shows a breach again, if the status of one request does not show it. */
export type Again = {
  /** what an answer shows if the statement is kept: all of them */
  signs?: readonly Sign[]
  why?: string
}

/** without `is`, a reader compares */
export type Sign = {
  member: string
  of?: 'read'
  is?: unknown
  anyCase?: true
  as?: 'before' | 'answer' | 'control'
  unlike?: 'before'
}

export type Grounds = {
  expected: string
  control?: Origin
  decides?: Decides | undefined
  again?: Again | undefined
} & ({ got: string; judged: Origin } | { got?: never; judged: { status: number } })

export function problem(sentence: string, grounds: Grounds): Problem {
  const { expected, judged, control, decides, again } = grounds
  const got = grounds.got ?? String(grounds.judged.status)
  const own = originOf(judged)
  const marked = controlOf(judged)
  const beside = originOf(control ?? marked.control).filter((each) => !own.includes(each))
  const before = beforeOf(judged).filter((each) => !own.includes(each))
  return {
    sentence,
    expected,
    got,
    judged: own,
    control: beside,
    ...(before.length > 0 ? { before } : {}),
    ...(decides ? { decides } : {}),
    ...(marked.differs ? { differs: marked.differs } : {}),
    ...(again ? { again } : {}),
  }
}

export const numbersIn = (problems: readonly Pick<Problem, 'judged' | 'control' | 'before'>[]) =>
  problems.flatMap(({ judged, control, before = [] }) => [...judged, ...control, ...before])

export const problemUnless = (holds: boolean, sentence: string, seen: Grounds): Problem[] =>
  holds ? [] : [problem(sentence, seen)]

const maxShown = 5
const maxKept = 20
const maxExchanges = 12

export function distinctProblems(problems: readonly Problem[]): Problem[] {
  const bySentence = new Map<string, Problem>()
  for (const each of problems) {
    const known = bySentence.get(each.sentence)
    bySentence.set(each.sentence, known ? together(known, each) : each)
  }
  return [...bySentence.values()].slice(0, maxKept)
}

function together(one: Problem, other: Problem): Problem {
  const judged = originOf(...one.judged, ...other.judged).slice(0, maxExchanges)
  const control = originOf(...one.control, ...other.control).slice(0, maxExchanges)
  return { ...one, judged, control: control.filter((each) => !judged.includes(each)) }
}

export function reasonOf(problems: readonly Pick<Problem, 'sentence'>[]): string {
  const times = new Map<string, number>()
  for (const { sentence } of problems) times.set(sentence, (times.get(sentence) ?? 0) + 1)
  const different = [...times].map(([sentence, n]) =>
    n > 1 ? `${sentence} (same result ${n} times)` : sentence,
  )
  const shown = different.slice(0, maxShown).join('\n')
  return different.length > maxShown ? `${shown}\n… and ${different.length - maxShown} more` : shown
}
