import { isObject, type JsonObject } from '../../engine/http/answers.ts'
import type { Ask } from '../../engine/http/client.ts'
import { type AssigneeType, sentFields } from '../contract/fields.ts'
import type { Operation } from '../contract/operations.ts'
import { kindOf, updatePath } from './request-paths.ts'
import { problemsOf } from './schema.ts'

export type SentRequest = {
  kind: 'read' | 'update'
  task: string
  body?: unknown
  ifMatch?: string | undefined
  /** whether only the body and If-Match differ from a usual request */
  isPlain?: boolean
}

export type Assignee = { id: string; type: AssigneeType }

/** What an update sends, and a task shows. */
export type Assignment = {
  assigned_by_id: string
  assigned_to_id: string
  assigned_to_type: AssigneeType
  assignment_comment?: string | null
}

type AskedHow =
  | 'key'
  | 'headers'
  | 'headerForm'
  | 'base'
  | 'sendKeyElsewhere'
  | 'via'
  | 'retries'
  | 'behindMs'

export type How = Pick<Ask, AskedHow> & {
  query?: string
  path?: (path: string) => string
}

export const isPlain = (how: How = {}): boolean =>
  Object.keys(how).every((name) => name === 'headerForm')

export const differsBy = ({ key, headers = {}, headerForm, base, path }: How): string[] => [
  ...(base === undefined ? [] : ['address']),
  ...(path === undefined ? [] : ['path']),
  ...(headerForm === undefined ? [] : ['how headers are written']),
  ...(key === undefined ? [] : ['header apikey']),
  ...Object.keys(headers).map((name) => `header ${name}`),
]

export const operationOf = (body: unknown): Operation =>
  isObject(body) && 'unassign' in body ? 'assign.unassign' : 'assign.update'

/** null: it unassigns */
export function toIn(body: unknown): unknown {
  if (operationOf(body) === 'assign.unassign') return null
  const update = isObject(body) ? body.update : undefined
  return isObject(update) ? update.assigned_to_id : undefined
}

export function objectIn(body: unknown): JsonObject {
  const [sent] = isObject(body) ? Object.values(body) : []
  return isObject(sent) ? sent : {}
}

/** Of an unassign request the caller knows whether the task was assigned. */
export function isDescribed(body: unknown, ifMatch: string | undefined): boolean {
  if (ifMatch === undefined || !isObject(body) || !isObject(body.update)) return false
  const named = Object.keys(body.update).every((member) => Object.hasOwn(sentFields.update, member))
  return (
    named && Object.keys(body).length === 1 && problemsOf('update-assignment', body).length === 0
  )
}

/** What an update assigns; null: it unassigns; undefined: the contract does not describe it. */
export function assignmentSentIn(body: unknown): Assignment | null | undefined {
  if (isUnassign(body)) return null
  return isDescribed(body, '') ? ((body as JsonObject).update as Assignment) : undefined
}

/** undefined if the member is valid there */
export function invalidIn(body: unknown, member: string): { value: unknown } | undefined {
  const wrong = isObject(body) ? problemsOf('update-assignment', body) : []
  return wrong.some(({ path }) => path.endsWith(`.${member}`))
    ? { value: objectIn(body)[member] }
    : undefined
}

export const isUnassign = (body: unknown): boolean =>
  isObject(body) &&
  isObject(body.unassign) &&
  Object.keys(body).length === 1 &&
  problemsOf('update-assignment', body).length === 0

/** The contract does not say what unassigning an unassigned task does. */
export const isTold = (body: unknown, ifMatch: string | undefined, before: unknown): boolean =>
  isDescribed(body, ifMatch) || (isUnassign(body) && Boolean(before))

export function updateOf(
  id: string,
  ifMatch: string | undefined,
  body: unknown,
  { query, path, ...how }: How = {},
): Ask {
  const version = ifMatch === undefined ? undefined : { 'if-match': ifMatch }
  return {
    method: 'PUT',
    path: pathOf(updatePath(id), { query, path }),
    kind: kindOf('assign.update'),
    ...how,
    headers: { 'content-type': 'application/json', ...version, ...how.headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  }
}

export function pathOf(asked: string, { query, path = (same) => same }: How): string {
  const [own = '', ...queries] = asked.split('?')
  return [path(own), [...queries, ...(query === undefined ? [] : [query])].join('&')]
    .filter(Boolean)
    .join('?')
}

/** Members of JSON have no order: with a comment, another order is sent. */
export const updateBody = (actor: string, to: Assignee, comment?: string | null) => {
  const by = { assigned_by_id: actor }
  const [id, type] = [{ assigned_to_id: to.id }, { assigned_to_type: to.type }]
  const update: Assignment =
    comment === undefined
      ? { ...by, ...id, ...type }
      : { assignment_comment: comment, ...type, ...id, ...by }
  return { update }
}

export const unassignBody = (actor: string, comment?: string | null) => ({
  unassign: {
    assigned_by_id: actor,
    ...(comment === undefined ? {} : { assignment_comment: comment }),
  },
})
