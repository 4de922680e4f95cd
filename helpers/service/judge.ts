import type { Finding } from '../../engine/findings/finding.ts'
import { type MemberFinding, memberFinding } from '../../engine/findings/member.ts'
import { statusFinding } from '../../engine/findings/status.ts'
import { isAccepted, isObject, type JsonObject, jsonIn } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { isVariation } from '../../engine/http/redaction.ts'
import { type Grounds, type Problem, problem } from '../../engine/problem.ts'
import { type Field, fieldsWith, type Resource } from '../contract/fields.ts'
import type { Operation } from '../contract/operations.ts'
import { statuses } from '../contract/statuses.ts'
import { isSameId } from './ids.ts'
import { type Departure, problemsOf } from './schema.ts'
import type { How } from './update-request.ts'

export type Owned = Problem & { owner: string }

export const problemOwnedBy = (owner: string, finding: Finding, grounds: Grounds): Owned => ({
  owner,
  ...problem(finding, grounds),
})

export type Wrote = (task: string, member: string, value: unknown) => boolean

/** One clause owns the answers to updates. */
export function problemsOfAnswer(
  resource: Resource,
  id: string,
  answer: Answer,
  wrote: Wrote = () => false,
): Owned[] {
  if (!isAccepted(answer)) return []
  const isUpdate = answer.method === 'PUT'
  const of = (owner: string, fact: MemberFact): Owned => ({
    owner: isUpdate ? 'assign.answer-is-task' : `${resource}.read.${owner}`,
    ...problem(memberFinding(answer, fact), { judged: answer }),
  })
  const body = jsonIn(answer)
  if (!isObject(body)) {
    const wanted = { kind: 'form' as const, form: 'a JSON object' }
    return [of('success', { member: '', got: answer.text, wanted })]
  }
  const other = body.id !== undefined && !isSameId(body.id, id)
  const assignment = isObject(body.assignment) ? body.assignment : {}
  const isOurs = ({ path }: Departure) => {
    const [field, name = ''] = path.split('.')
    return field === 'assignment' && wrote(id, name, assignment[name])
  }
  const departures = problemsOf(resource, body).filter((departure) => !isOurs(departure))
  return [
    ...departures.map((departure) => {
      const { path: member, got, wanted } = departure
      return of(ownerOf(resource, departure), { member, got, wanted })
    }),
    ...(other ? [of('identity', otherId(id, body))] : []),
  ]
}

type MemberFact = Pick<MemberFinding, 'member' | 'wanted' | 'got'>

export const otherId = (id: string, body: JsonObject): MemberFact => ({
  member: 'id',
  got: body.id,
  wanted: { kind: 'value', value: id, anyCase: true },
})

function ownerOf(resource: Resource, { path, kind }: Departure): string {
  const [field = ''] = path.split('.')
  if (field === 'assignment' && !(kind === 'missing' && path === field)) return 'assignment'
  const is = (says: (field: Field) => boolean | undefined) =>
    fieldsWith(resource, says).includes(field)
  if (kind === 'missing') return is(({ ofError }) => ofError) ? 'error-fields' : 'fields'
  if (is(({ form }) => form === 'id')) return 'identifiers'
  if (is(({ form }) => form === 'timestamp')) return 'timestamps'
  return is(({ form }) => form === 'state') ? 'state' : 'types'
}

export type RequestFacts = {
  operation: Operation
  how?: How | undefined
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
  const kind = operation === 'assign.unassign' ? 'unassign' : 'update'
  const finding = owner
    ? statusFinding(answer, statuses.badKey, { to: 'to a request without a valid key' })
    : statusFinding(answer, statuses.unknownId, { to: 'to an id that no task has' })
  return [problemOwnedBy(owner ?? `assign.not-found.${kind}`, finding, { judged: answer })]
}

/** undefined if the request may have the valid key, in another place or form */
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
