import { answerOperators } from './operators/answers.ts'
import { exchangeOperators, mailOperators } from './operators/exchanges.ts'
import { csvOperators, pdfOperators } from './operators/files.ts'
import { memberOperators } from './operators/members.ts'
import type { Operator } from './operators/operator.ts'
import { parameterOperators, requestOperators } from './operators/requests.ts'

/**
 * Every mutant. The list comes from the contract and from published operators for recorded HTTP answers and
 * REST requests, not from the clauses.
 */
export const operators: readonly Operator[] = [
  ...memberOperators,
  ...answerOperators,
  ...requestOperators,
  ...parameterOperators,
  ...exchangeOperators,
  ...mailOperators,
  ...csvOperators,
  ...pdfOperators,
]
