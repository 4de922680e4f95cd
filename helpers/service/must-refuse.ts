// Requests that must be refused for any content.

import { describeAnswer, isAccepted } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { isVariation } from '../../engine/http/redaction.ts'
import { problem } from '../../engine/problem.ts'
import type { Owned } from './judge.ts'
import type { Operation } from './operations.ts'
import type { How } from './update-request.ts'

export type RequestFacts = {
  operation: Operation
  how?: How | undefined
  /** whether it is an update of an invented id */
  isUnknownId?: boolean
}

export function problemsOfAccepted(
  { operation, how = {}, isUnknownId = false }: RequestFacts,
  answer: Answer,
  apiKey: string,
): Owned[] {
  if (!isAccepted(answer)) return []
  const owner = ownerOfKey(how, operation, apiKey)
  if (!owner && !isUnknownId) return []
  const expected = owner ? '401' : '404'
  const what = owner ? 'a request without a valid key' : 'an id that no task has'
  const kind = operation === 'assign.unassign' ? 'unassign' : 'update'
  return [
    {
      owner: owner ?? `assign.not-found.${kind}`,
      ...problem(`${describeAnswer(answer)}, not ${expected}, to ${what}`, {
        expected,
        judged: answer,
      }),
    },
  ]
}

/** The clause that states 401; undefined if the request may carry the valid key, in another place or form. */
function ownerOfKey(
  { key, headers, base, sendKeyElsewhere, via, query, path }: How,
  operation: Operation,
  apiKey: string,
): string | undefined {
  const others = [headers, base, sendKeyElsewhere, via, query, path]
  if (key === undefined || others.some((each) => each !== undefined)) return undefined
  if (key === null) return `auth.missing-key.${operation}`
  return key === apiKey || isVariation(apiKey, key) ? undefined : `auth.invalid-key.${operation}`
}
