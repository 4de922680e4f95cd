import { type Origin, originOf } from './origin.ts'

/** That a sentence of the contract is broken: what was expected, what came, and where it is seen. */
export type Problem = {
  /** states the fact, then the expectation */
  sentence: string
  expected: string
  got: string
  /** the exchanges that were judged */
  judged: number[]
  /** those beside which they were judged, as the same request with nothing wrong */
  control: number[]
  /** values that decide, by what they are: the If-Match that was sent, and the current updated_at */
  decides?: Decides
  again?: Again
  /** the clause that asked for what is judged, where it is not the one that judges it */
  metBy?: string[]
}

export type Decides = Readonly<Record<string, string>>

/** How a breach is shown once more, where more is needed than one request and its status. */
export type Again = {
  /** JavaScript that is true where the sentence holds; reporting/repeat says of which values */
  holds?: string
  /** JavaScript that makes the key that is sent of `k`, the valid one */
  key?: string
  /** why no script can show it */
  why?: string
}

/** What a sentence is judged by: values that know in which exchanges they came. */
export type Seen = {
  expected: string
  got: string
  judged: Origin
  control?: Origin
  decides?: Decides | undefined
  again?: Again | undefined
}

/** Makes a problem of a sentence and what it is judged by. */
export function problem(
  sentence: string,
  { expected, got, judged, control, decides, again }: Seen,
): Problem {
  const own = originOf(judged)
  const beside = originOf(control).filter((each) => !own.includes(each))
  return {
    sentence,
    expected,
    got,
    judged: own,
    control: beside,
    ...(decides ? { decides } : {}),
    ...(again ? { again } : {}),
  }
}

const maxShown = 5
/** Of a service that answers wrongly every time, the first few say it all. */
const maxKept = 20
const maxExchanges = 12

/** Problems with one sentence as one, which names the exchanges of all. */
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

/** The sentences of problems as one reason: each once, and of many the first few. */
export function reasonOf(problems: readonly Pick<Problem, 'sentence'>[]): string {
  const times = new Map<string, number>()
  for (const { sentence } of problems) times.set(sentence, (times.get(sentence) ?? 0) + 1)
  const different = [...times].map(([sentence, n]) =>
    n > 1 ? `${sentence} (${n} times)` : sentence,
  )
  const shown = different.slice(0, maxShown).join('\n')
  return different.length > maxShown ? `${shown}\n… and ${different.length - maxShown} more` : shown
}
