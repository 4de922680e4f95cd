// Requests of other clients, each with what had been shown before it: cases for the laws of clauses.

import { isAccepted, isObject, jsonIn } from '../../engine/http/answers.ts'
import { isUuid } from '../../engine/settings/parsers.ts'
import type { Came, Resource } from '../reads/readings.ts'
import type { Seen } from './recorded.ts'

export type Moment = {
  seen: Seen
}

/** The reads of a resource that show it. */
export const readsOf =
  (resource: Resource) =>
  ({ seen }: Moment): Came | undefined => {
    const { method, key, id, answer } = seen
    if (method !== 'GET' || seen.resource !== resource || key !== 'given') return undefined
    const body = isUuid(id) && isAccepted(answer) ? jsonIn(answer) : undefined
    return isObject(body) ? { id, body } : undefined
  }
