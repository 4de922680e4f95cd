import { describeAnswer } from '../../../engine/http/answers.ts'
import type { Answer } from '../../../engine/http/client.ts'
import { NotDecidable, Trouble } from '../../../engine/outcome.ts'

/** Ends the clause at what is nobody's breach: a key that may not export, and trouble. */
export function needDecidable(answer: Pick<Answer, 'method' | 'path' | 'status'>): void {
  if (answer.status === 403)
    throw new NotDecidable('refused', `${describeAnswer(answer)}: the key may not export`, 'export')
  if (answer.status === 429 || answer.status >= 500)
    throw new Trouble(`${describeAnswer(answer)}; what it says of the service is not known`)
}
