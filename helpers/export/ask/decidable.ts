import { describeAnswer } from '../../../engine/http/answers.ts'
import { Trouble } from '../../../engine/outcome.ts'
import { needPermitted, premise } from '../../service/answers.ts'
import type { AnsweredRequest } from '../../service/owners.ts'

/** Continues with a repeated 500 too: where 400 is stated, it is judged. */
export function needAnswer(answer: AnsweredRequest): void {
  if (answer.status !== 500) needDecidable(answer)
}

/** Ends the clause at 403 and trouble, which break no sentence. */
export function needDecidable(answer: AnsweredRequest): void {
  needPermitted(answer)
  if (answer.status === 429 || answer.status >= 500)
    throw new Trouble(`${describeAnswer(answer)}; whether the service is at fault is unknown`)
}

/** A PDF without events says nothing about the limit. */
export const needEvents = ({ count }: { count: number }): void =>
  premise(count > 0, 'data', 'all events share one time; events of other times are needed')
