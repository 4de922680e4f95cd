import { controlOf, type Origin, originOf } from './origin.ts'

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
  /** where the judged request differs from its control, as "header if-match" */
  differs?: string[]
  again?: Again
  /** the clause that asked for what is judged, where it is not the one that judges it */
  metBy?: string[]
}

export type Decides = Readonly<Record<string, string>>

/** How a breach is shown once more, where the status of one request does not show it. */
export type Again = {
  /** what is seen where the sentence holds: all of them */
  signs?: readonly Sign[]
  /** a status with which the sentence holds, whatever else is seen */
  or?: '2xx' | '4xx'
  /** why no script can show it: a clause that goes on with "because" */
  why?: string
}

/** What grep can see in an answer, in the read that follows it, or in a file. */
export type Sign =
  | { any: readonly Sign[] }
  | ({
      /** a member of the body, as `assignment.assigned_to_id` */
      member: string
      /** left out: of the answer */
      of?: 'read'
    } & Wanted)
  /** how many records the file has, its titles included: between the bounds of one of these */
  | { records: readonly { least?: number; most?: number }[] }
  /** how many events all judged files have together, each after so many records of titles */
  | { events: { least?: number; most?: number }; titles: number }
  /** how many records the file has beside the file of the control */
  | { records: 'as many' | 'at most' }
  | { file: 'some' | 'JSON' | 'a JSON object' | 'delimited' | 'the same lines' | 'other' }
  /** texts that do not stand in one file together */
  | { lacks: readonly string[] }

/** What a member is where the sentence holds. */
type Wanted =
  | { is: unknown; anyCase?: true }
  /** an extended regular expression of its JSON text */
  | { matches: string }
  | { as: 'before' | 'answer' | 'control' }
  | { unlike: 'before' }

/** What a sentence is judged by: values that know in which exchanges they came. */
export type Grounds = {
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
  { expected, got, judged, control, decides, again }: Grounds,
): Problem {
  const own = originOf(judged)
  const marked = controlOf(judged)
  const beside = originOf(control ?? marked.control).filter((each) => !own.includes(each))
  return {
    sentence,
    expected,
    got,
    judged: own,
    control: beside,
    ...(decides ? { decides } : {}),
    ...(marked.differs ? { differs: marked.differs } : {}),
    ...(again ? { again } : {}),
  }
}

/** None where it holds; else the one that says so. */
export const problemUnless = (holds: boolean, sentence: string, seen: Grounds): Problem[] =>
  holds ? [] : [problem(sentence, seen)]

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
    n > 1 ? `${sentence} (same result ${n} times)` : sentence,
  )
  const shown = different.slice(0, maxShown).join('\n')
  return different.length > maxShown ? `${shown}\n… and ${different.length - maxShown} more` : shown
}
