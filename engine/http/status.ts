import type { Origin } from '../origin.ts'
import { type Again, type Decides, type Problem, problem } from '../problem.ts'
import { describeAnswer, isAccepted, isRefused } from './answers.ts'
import type { Answer } from './client.ts'

export type Answered = Pick<Answer, 'exchange' | 'method' | 'path' | 'status'>

/** `what` begins the sentence: "the key in another case: GET …" */
type Beside = {
  control?: Origin
  what?: string | undefined
  decides?: Decides | undefined
  again?: Again
}

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
