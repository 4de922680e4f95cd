import { expect } from 'vitest'
import { describeAnswer, isAccepted, isRefused } from '../http/answers.ts'
import type { Answer } from '../http/client.ts'
import type { Origin } from '../origin.ts'
import {
  type Again,
  type Decides,
  type Problem,
  problem,
  problemUnless,
  reasonOf,
  type Seen,
} from '../problem.ts'

/** Enough of an answer to judge its status. */
type Answered = Pick<Answer, 'exchange' | 'method' | 'path' | 'status'>

/** What an answer is judged beside, and of what it is told: "the key in another case: GET …". */
type Beside = {
  control?: Origin
  what?: string | undefined
  decides?: Decides | undefined
  again?: Again
}

interface ContractMatchers<R> {
  /** the answer has this status */
  toHaveStatus(status: number, beside?: Beside): R
  /** the answer has a status of 2xx */
  toBeAccepted(beside?: Beside): R
  /** the answer has a status of 4xx */
  toBeRefused(beside?: Beside): R
  /** the list of problems is empty */
  toBeNone: R extends readonly Problem[] ? () => void : never
}

declare module 'vitest' {
  // biome-ignore lint/suspicious/noExplicitAny: a merged declaration repeats vitest's own
  interface Matchers<T = any> extends ContractMatchers<T> {}
}

/** What is wrong with the status of an answer. The sentence states the fact, then the expectation. */
export function problemsOfStatus(
  answer: Answered,
  expected: number | '2xx' | '4xx',
  { control, what, decides, again }: Beside = {},
): Problem[] {
  if (hasStatus(answer, expected)) return []
  const sentence = `${what ? `${what}: ` : ''}${describeAnswer(answer)}, not ${expected}`
  const got = String(answer.status)
  return [
    problem(sentence, { expected: `${expected}`, got, judged: answer, control, decides, again }),
  ]
}

function hasStatus(answer: Answered, expected: number | '2xx' | '4xx'): boolean {
  if (expected === '2xx') return isAccepted(answer)
  return expected === '4xx' ? isRefused(answer) : answer.status === expected
}

/** What came is the problems: the outcome of a clause is made from them. */
const judged = (problems: readonly Problem[]) => ({
  pass: problems.length === 0,
  message: () => reasonOf(problems),
  actual: problems,
  expected: [],
})

expect.extend({
  toHaveStatus: (answer: Answered, expected: number, beside?: Beside) =>
    judged(problemsOfStatus(answer, expected, beside)),
  toBeAccepted: (answer: Answered, beside?: Beside) =>
    judged(problemsOfStatus(answer, '2xx', beside)),
  toBeRefused: (answer: Answered, beside?: Beside) =>
    judged(problemsOfStatus(answer, '4xx', beside)),
  toBeNone: judged,
})

/** Condemns with this sentence what does not hold. */
export function expectThat(holds: boolean, sentence: string, seen: Seen): void {
  expect(problemUnless(holds, sentence, seen)).toBeNone()
}

export { expect }
