import { answerOperators } from './operators/answers.ts'
import { csvOperators } from './operators/csv.ts'
import { exchangeOperators } from './operators/exchanges.ts'
import { mailOperators } from './operators/mails.ts'
import { memberOperators } from './operators/members.ts'
import type { Operator } from './operators/operator.ts'
import { parameterOperators } from './operators/parameters.ts'
import { pdfOperators } from './operators/pdf.ts'
import { requestOperators } from './operators/requests.ts'
import { writeOperators } from './operators/writes.ts'

/**
 * Every mutant, made from the contract alone and from the published lists for recorded HTTP and
 * REST answers and requests; nobody looked at a clause to choose one.
 */
export const operators: readonly Operator[] = [
  ...memberOperators,
  ...answerOperators,
  ...requestOperators,
  ...parameterOperators,
  ...exchangeOperators,
  ...writeOperators,
  ...mailOperators,
  ...csvOperators,
  ...pdfOperators,
]
