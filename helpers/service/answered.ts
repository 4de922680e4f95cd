// A 5xx to only one request is its answer, not an outage.

import { isAccepted } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { isGateway } from '../../engine/http/retry.ts'
import { Trouble } from '../../engine/outcome.ts'
import { clock } from '../../engine/time/timers.ts'
import type { How } from './update-request.ts'

const timesAnswered = 3
const nearMs = 1000

export const isOfGateway = (error: unknown): boolean =>
  error instanceof Trouble && isGateway(error.status ?? 0)

/** `control`: the accepted answer before a gateway's. */
type AnswerBetween = { answer: Answer; control?: Answer }

/** The gateway's answer, if it comes each time within a second between two accepted controls. */
async function answerBetween(
  ask: () => Promise<Answer>,
  control: () => Promise<Answer>,
): Promise<AnswerBetween | undefined> {
  let answer: Answer | undefined
  let before = await control()
  for (let time = 0; time < timesAnswered; time += 1) {
    const began = clock.now()
    answer = await ask()
    const after = await control()
    const isClosed = isAccepted(before) && isAccepted(after) && clock.now() - began < nearMs
    if (!isClosed || !isGateway(answer.status)) return undefined
    before = after
  }
  return answer && { answer, control: before }
}

export async function askedBetween(
  ask: (how: How) => Promise<Answer>,
  control: (() => Promise<Answer>) | undefined,
): Promise<AnswerBetween> {
  try {
    return { answer: await ask({}) }
  } catch (error) {
    const isOpen = control !== undefined && isOfGateway(error)
    const between = isOpen && (await answerBetween(() => ask({ retries: false }), control))
    if (!between) throw error
    return between
  }
}
