import { expect } from 'vitest'
import { type Answered, type Beside, problemsOfStatus } from '../http/status.ts'
import { type Grounds, type Problem, problemUnless, reasonOf } from '../problem.ts'

interface ContractMatchers<R> {
  toHaveStatus(status: number, beside?: Beside): R
  toBeAccepted(beside?: Beside): R
  toBeRefused(beside?: Beside): R
  toBeNone: R extends readonly Problem[] ? () => void : never
}

declare module 'vitest' {
  // biome-ignore lint/suspicious/noExplicitAny: a merged declaration repeats vitest's own
  interface Matchers<T = any> extends ContractMatchers<T> {}
}

/** `actual` carries the problems: the outcome of the clause is made from them. */
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

export function expectThat(holds: boolean, sentence: string, seen: Grounds): void {
  expect(problemUnless(holds, sentence, seen)).toBeNone()
}

export { expect }
