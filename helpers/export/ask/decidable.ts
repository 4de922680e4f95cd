import { describeAnswer } from '../../../engine/http/answers.ts'
import type { Answer } from '../../../engine/http/client.ts'
import { NotDecidable, Trouble } from '../../../engine/outcome.ts'
import { operationsIn } from '../../service/owners.ts'

/** Continues with a repeated 500 too: where 400 is stated, it is judged. */
export function needAnswer(answer: Pick<Answer, 'method' | 'path' | 'status'>): void {
  if (answer.status !== 500) needDecidable(answer)
}

/** Ends the clause at 401, 403 and trouble, which break no sentence. */
export function needDecidable(answer: Pick<Answer, 'method' | 'path' | 'status'>): void {
  if (answer.status === 403)
    throw new NotDecidable(
      'refused',
      `${describeAnswer(answer)}: the key may not export`,
      ...operationsIn(answer),
    )
  if (answer.status === 429 || answer.status >= 500)
    throw new Trouble(`${describeAnswer(answer)}; whether the service is at fault is unknown`)
}

/** A PDF without events says nothing about the limit. */
export function needEvents({ count }: { count: number }): void {
  if (count === 0)
    throw new NotDecidable('data', 'all events share one time; events of other times are needed')
}
