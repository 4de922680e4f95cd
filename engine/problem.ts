import type { Finding } from './findings/finding.ts'
import type { Again } from './findings/kind.ts'
import { controlOf, exchangesOf, type Origin } from './origin.ts'
import { shown } from './shown.ts'

/** What a law found wrong, and the exchanges that show it. */
export type Problem = {
  finding: Finding
  /** how often it was found, if more than once */
  times?: number
  judged: number[]
  control: number[]
  /** a script sends these first */
  before?: number[]
  decides?: Decides
  /** where the judged request differs from its control, as "header if-match" */
  differs?: string[]
  /** beside what its finding says itself */
  again?: Again
  metBy?: string[]
}

export type Decides = Readonly<Record<string, string>>

export type Grounds = {
  /** left out: what its case judges */
  judged?: Origin
  control?: Origin
  decides?: Decides | undefined
  again?: Again | undefined
}

export function problem(finding: Finding, grounds: Grounds): Problem {
  const { control, decides, again } = grounds
  const judged = exchangesOf(grounds.judged)
  const marked = controlOf(grounds.judged)
  const isOther = (number: number) => !judged.includes(number)
  return {
    finding,
    judged,
    control: exchangesOf(control ?? marked.control).filter(isOther),
    ...(decides ? { decides } : {}),
    ...(marked.differs ? { differs: marked.differs } : {}),
    ...(again ? { again } : {}),
  }
}

export const numbersIn = (problems: readonly Pick<Problem, 'judged' | 'control' | 'before'>[]) =>
  problems.flatMap(({ judged, control, before = [] }) => [...judged, ...control, ...before])

export const problemUnless = (holds: boolean, finding: Finding, grounds: Grounds): Problem[] =>
  holds ? [] : [problem(finding, grounds)]

const maxExchanges = 12

/** Long values are the same if they begin alike, because people read no more of them; one fact has one explanation. */
export const keyOf = ({ finding }: Pick<Problem, 'finding'>): string =>
  JSON.stringify({ ...finding, why: undefined }, (name, value) =>
    name === 'got' ? shown(value) : value,
  )

/** Each finding once. */
export function distinctProblems<Found extends Problem>(problems: readonly Found[]): Found[] {
  const byKey = new Map<string, Found>()
  for (const each of problems) {
    const key = keyOf(each)
    const same = byKey.get(key)
    byKey.set(key, same ? together(same, each) : each)
  }
  return [...byKey.values()]
}

function together<Found extends Problem>(one: Found, other: Problem): Found {
  const judged = exchangesOf(...one.judged, ...other.judged).slice(0, maxExchanges)
  const control = exchangesOf(...one.control, ...other.control).slice(0, maxExchanges)
  return {
    ...one,
    times: (one.times ?? 1) + (other.times ?? 1),
    judged,
    control: control.filter((each) => !judged.includes(each)),
  }
}
