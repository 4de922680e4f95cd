import { expect } from 'vitest'
import { describeAnswer, isAccepted, isRefused } from '../http/answers.ts'
import type { Answer } from '../http/client.ts'

interface ContractMatchers<R> {
  /** the answer has this status */
  toHaveStatus(status: number): R
  /** the answer has a status of 2xx */
  toBeAccepted(): R
  /** the answer has a status of 4xx */
  toBeRefused(): R
  /** the list of sentences that name problems is empty */
  toBeNone(): R
}

declare module 'vitest' {
  // biome-ignore lint/suspicious/noExplicitAny: a merged declaration repeats vitest's own
  interface Matchers<T = any> extends ContractMatchers<T> {}
}

// Each message states the fact, then the expectation.
expect.extend({
  toHaveStatus: (answer: Answer, expected: number) => ({
    pass: answer.status === expected,
    message: () => `${describeAnswer(answer)}, not ${expected}`,
    actual: answer.status,
    expected,
  }),
  toBeAccepted: (answer: Answer) => ({
    pass: isAccepted(answer),
    message: () => `${describeAnswer(answer)}, not 2xx`,
    actual: answer.status,
    expected: '2xx',
  }),
  toBeRefused: (answer: Answer) => ({
    pass: isRefused(answer),
    message: () => `${describeAnswer(answer)}, not 4xx`,
    actual: answer.status,
    expected: '4xx',
  }),
  toBeNone: (sentences: readonly string[]) => ({
    pass: sentences.length === 0,
    message: () => severalOf(sentences),
    actual: sentences,
    expected: [],
  }),
})

/** Condemns with this sentence what does not hold. */
export function expectThat(holds: boolean, sentence: string): void {
  expect(holds ? [] : [sentence]).toBeNone()
}

function severalOf(sentences: readonly string[]): string {
  const times = new Map<string, number>()
  for (const sentence of sentences) times.set(sentence, (times.get(sentence) ?? 0) + 1)
  const different = [...times].map(([sentence, n]) =>
    n > 1 ? `${sentence} (${n} times)` : sentence,
  )
  const told = different.slice(0, 5).join('\n')
  return different.length > 5 ? `${told}\n… and ${different.length - 5} more` : told
}

export { expect }
