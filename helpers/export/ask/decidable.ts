import { contentOf } from '../../../engine/files/content.ts'
import type { CsvReading } from '../../../engine/files/csv.ts'
import { describeAnswer, isAccepted } from '../../../engine/http/answers.ts'
import type { Downloaded } from '../../../engine/http/client.ts'
import { Trouble, type Why } from '../../../engine/outcome.ts'
import { statuses } from '../../contract/statuses.ts'
import { sentenceOf } from '../../findings/kinds.ts'
import { needPermitted, premise } from '../../service/answers.ts'
import type { Owned } from '../../service/judge.ts'
import type { AnsweredRequest } from '../../service/owners.ts'
import type { Delivered } from './file-place.ts'

/** Continues with a repeated 500 too: where a rejection is stated, it is judged. */
export function needAnswer(answer: AnsweredRequest): void {
  if (answer.status !== statuses.failedExport) needDecidable(answer)
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

/** The service's choice: the contract does not state the answer to such a request. */
export const open = (sentence: string): Why => [
  'freedom',
  `${sentence}; the contract does not specify the response to this request`,
]

/** A refusal of a request that is valid as far as stated: the contract does not list all invalid exports. */
export const notGiven = (answer: Downloaded): Why => [
  'freedom',
  `${describeAnswer(answer)}; the contract does not list every invalid export`,
]

/** The form is the service's choice; this suite reads what libraries for web exports write. */
export const unreadable = (answer: Downloaded, form: string): Why => [
  'freedom',
  `${describeAnswer(answer)} with ${form}, which this suite does not read; the contract does not specify the format of a CSV`,
]

/** Why an answer, whose first breach is given, leads to no file. */
export function whyNoFile(
  { unreachable, lost }: Delivered<unknown>,
  breach: Owned | undefined,
): Why | undefined {
  if (unreachable) return ['freedom', unreachable]
  if (breach) return ['clause', sentenceOf(breach.finding), breach.owner]
  return lost === undefined ? undefined : open(sentenceOf(lost))
}

export async function whyNoCsv(
  { answer, result }: Delivered<{ csv?: CsvReading; text?: string }>,
  isRefusedToo: () => Promise<boolean>,
  isOfWholeRange: boolean,
): Promise<Why> {
  if (isAccepted(answer))
    return open(`${describeAnswer(answer)} with ${contentOf(result?.csv?.beginning ?? '')}, no CSV`)
  const refused = answer.status < 500 && answer.status !== 403 && answer.status !== 429
  const sentence = `${describeAnswer(answer)} (${result?.text?.slice(0, 80) ?? ''}), not ${statuses.exported} with a CSV`
  if (refused && (await isRefusedToo())) return ['clause', sentence, 'export.csv.status']
  const advice = isOfWholeRange ? '; if it is too large, set EXPORT_FROM and EXPORT_TO' : ''
  return [
    'freedom',
    `${sentence}; other exports are accepted, and the contract does not list every invalid export${advice}`,
  ]
}
