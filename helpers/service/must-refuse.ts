// Requests that are refused whatever else they ask for, whichever clause sends them (rule R9).

import { describeAnswer, isAccepted } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { isVariation } from '../../engine/http/redaction.ts'
import { problem } from '../../engine/problem.ts'
import type { Owned } from './judge.ts'
import type { Operation } from './operations.ts'
import type { How } from './update-request.ts'

/** A request, as far as it says what must come of it. */
export type Sent = {
  operation: Operation
  how?: How | undefined
  /** whether it is an update of an id that was made up */
  isOfNothing?: boolean
}

/** That such a request was accepted: the status is stated, 401 or 404. */
export function problemsOfAccepted(
  { operation, how = {}, isOfNothing = false }: Sent,
  answer: Answer,
  apiKey: string,
): Owned[] {
  if (!isAccepted(answer)) return []
  const owner = ownerOfKey(how, operation, apiKey)
  const expected = owner ? '401' : '404'
  if (!owner && !isOfNothing) return []
  const why = owner ? 'though it carries no valid key' : 'though nothing has that id'
  const kind = operation === 'assign.unassign' ? 'unassign' : 'update'
  return [
    {
      owner: owner ?? `assign.not-found.${kind}`,
      ...problem(`${describeAnswer(answer)}, ${why}`, {
        expected,
        got: String(answer.status),
        judged: answer,
      }),
    },
  ]
}

/** The clause that states 401; undefined where the key may be valid, be it in another place or form. */
function ownerOfKey(
  { key, headers, base, sendKeyElsewhere, via, query }: How,
  operation: Operation,
  apiKey: string,
): string | undefined {
  const isElsewhere = headers ?? base ?? sendKeyElsewhere ?? via ?? query
  if (key === undefined || isElsewhere !== undefined) return undefined
  if (key === null) return `auth.missing-key.${operation}`
  const mayBeValid = key === '' || key === apiKey || isVariation(apiKey, key)
  return mayBeValid ? undefined : `auth.invalid-key.${operation}`
}
