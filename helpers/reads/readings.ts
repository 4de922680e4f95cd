import { isDeepStrictEqual } from 'node:util'
import { counted } from '../../engine/counted.ts'
import { distinct } from '../../engine/distinct.ts'
import { memberFinding } from '../../engine/findings/member.ts'
import {
  acceptedBody,
  isAccepted,
  isObject,
  type JsonObject,
  problemsOfNoObject,
} from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { typeAmong } from '../../engine/http/shapes.ts'
import { problemsOfStatus } from '../../engine/http/status-problems.ts'
import { NotDecidable, toSet, type Why } from '../../engine/outcome.ts'
import { type Problem, problem, problemUnless } from '../../engine/problem.ts'
import { shown } from '../../engine/shown.ts'
import { fieldsOf, fieldsWith, type Resource, workflowStates } from '../contract/fields.ts'
import { needAccepted, needPermitted as needAllowed } from '../service/answers.ts'
import { isSameId } from '../service/ids.ts'
import { otherId } from '../service/judge.ts'
import type { KnownIds } from '../service/known.ts'
import { ownersOf } from '../service/owners.ts'
import { problemsOf } from '../service/schema.ts'
import type { Service, Shared } from '../service/service.ts'
import { versionIn } from '../service/task-members.ts'
import type { How } from '../service/update-request.ts'

export type Reading = { id: string; answer: Answer }

export type ReadOne = (id: string, how?: How) => Promise<Answer>

export const readerOf =
  (resource: Resource, service: Service): ReadOne =>
  (id, how) =>
    service.read(`${resource}.read`, id, how)

/** Each resource is read once for all clauses. */
export const readShared = (resource: Resource, shared: Shared, id: string): Promise<Reading> =>
  shared(`${resource} ${id}`, async (service) => ({
    id,
    answer: await readerOf(resource, service)(id),
  }))

export const allRead = (
  resource: Resource,
  shared: Shared,
  { ids }: KnownIds,
): Promise<Reading[]> =>
  Promise.all(ids[resource].present.map((id) => readShared(resource, shared, id)))

/** The contract does not describe permissions. */
export function needPermitted(readings: readonly Reading[]): Reading[] {
  const allowed = readings.filter(({ answer }) => answer.status !== 403)
  const [first] = readings
  if (allowed.length === 0 && first) needAllowed(first.answer)
  return allowed
}

export function acceptedAmong(readings: readonly Reading[]): Answer[] {
  const answers = needPermitted(readings).map(({ answer }) => answer)
  const accepted = answers.filter(isAccepted)
  const [first] = answers
  if (accepted.length === 0 && first) needAccepted(first)
  return accepted
}

/** A resource that a read returned. */
export type Came = { id: string; body: JsonObject; exchange: number }

export function bodiesOf(readings: readonly Reading[]): Came[] {
  const allowed = needPermitted(readings)
  const bodies = allowed.flatMap(({ id, answer }) => {
    const body = acceptedBody(answer)
    return body ? [{ id, body, exchange: answer.exchange }] : []
  })
  const [first] = allowed
  if (bodies.length === 0 && first)
    throw new NotDecidable('clause', 'no read returned a JSON object', ...ownersOf(first.answer))
  return bodies
}

export const problemsOfMissing = (
  resource: Resource,
  came: Came,
  fields: readonly string[],
): Problem[] =>
  problemsIn(resource, came, (path, kind) => kind === 'missing' && fields.includes(path))

export const problemsOfForm = (
  resource: Resource,
  came: Came,
  fields: readonly string[],
): Problem[] =>
  problemsIn(
    resource,
    came,
    (path, kind) =>
      fields.includes(path.split('.')[0] ?? '') && (kind === 'form' || path.includes('.')),
  )

export function whyUnset(
  resource: Resource,
  came: readonly Came[],
  fields: readonly string[],
): Why | undefined {
  if (came.some(({ body }) => fields.some((field) => body[field] != null))) return undefined
  const named = fields.join(', ')
  if (came.some(({ body }) => fields.some((field) => !(field in body))))
    return ['clause', `no read shows ${named}`, `${resource}.read.fields`]
  if (fields.every((field) => nullable(resource).includes(field)))
    return ['data', `${named} is null in every ${resource}; read one where it is set`]
  return [
    'freedom',
    `${named}: null in every ${resource}, and the contract does not say which fields can be null`,
  ]
}

/** Another clause judges unknown states. */
export function needInState(readings: readonly Reading[], ...states: string[]): Came[] {
  const bodies = bodiesOf(readings)
  const found = bodies.filter(({ body }) => states.includes(String(body.workflow_state)))
  if (found.length > 0) return found
  const none = `no assessment that was read is ${states.join(' or ')}`
  const isStated = ({ body }: Came) => workflowStates.includes(String(body.workflow_state))
  if (!bodies.every(isStated))
    throw new NotDecidable('clause', none, 'assessment.read.state', 'assessment.read.fields')
  throw new NotDecidable(
    'data',
    `${none}; ASSESSMENT_IDS has to name such an assessment, for --profile smoke among its first two`,
  )
}

export const errorFields = fieldsWith('assessment', ({ ofError }) => ofError)

export function describeValues(
  resource: Resource,
  came: readonly Came[],
  fields: readonly string[],
): string {
  const setIn = (field: string) => came.filter(({ body }) => body[field] != null).length
  const count = fields.reduce((sum, field) => sum + setIn(field), 0)
  const unseen = fields.filter((field) => setIn(field) === 0)
  return `${count} values in ${counted(came.length, resource)}${unseen.length > 0 ? `; null in all: ${unseen.join(', ')}` : ''}`
}

const problemsIn = (
  resource: Resource,
  came: Came,
  concerns: (path: string, kind: 'missing' | 'form') => boolean,
): Problem[] =>
  problemsOf(resource, came.body)
    .filter(({ path, kind }) => concerns(path, kind))
    .map(({ path: member, got, wanted }) => {
      const finding = memberFinding({ resource, id: came.id }, { member, got, wanted })
      return problem(finding, { judged: came })
    })

export function problemsOfIdentity(resource: Resource, came: Came): Problem[] {
  const { id, body } = came
  const finding = memberFinding({ resource, id }, otherId(id, body))
  return problemUnless(isSameId(body.id, id), finding, { judged: came })
}

export function namedMembers(resource: Resource, body: JsonObject): JsonObject {
  const named = (fields: readonly string[], all: JsonObject) =>
    Object.fromEntries(fields.map((field) => [field, all[field]]))
  const { assignment, ...rest } = named(fieldsOf(resource), body)
  if (!fieldsOf(resource).includes('assignment')) return rest
  return {
    ...rest,
    assignment: isObject(assignment) ? named(fieldsOf('assignment'), assignment) : assignment,
  }
}

const nullable = (resource: Resource) => fieldsWith(resource, (field) => field.null)

export function silences(resource: Resource, came: readonly Pick<Came, 'body'>[]) {
  const named = fieldsOf(resource)
  const bodies = came.map(({ body }) => body)
  // Members that only some bodies have may depend on their state.
  const extras = distinct(Object.keys(bodies[0] ?? {})).filter(
    (field) => !named.includes(field) && bodies.every((body) => field in body),
  )
  return {
    nulls: named.filter(
      (field) => !nullable(resource).includes(field) && bodies.some((body) => body[field] === null),
    ),
    extras: Object.fromEntries(
      extras.map((field) => [field, typeAmong(bodies.map((body) => body[field]))]),
    ),
  }
}

/** A field that all of these show as null. */
const neverSet = (of: Resources, member: string, bodies: readonly unknown[]) =>
  memberFinding(of, { member, got: null, wanted: { kind: 'any value' }, bodies: bodies.length })

type Resources = { resource: string; id: string }

/** In fewer assessments a field may be null by chance. */
const enough = 4

export function problemsOfNeverSet({ bodies }: { bodies: readonly JsonObject[] }): Problem[] {
  const states = distinct(bodies.map(({ workflow_state }) => shown(workflow_state)))
  const unset = silences(
    'assessment',
    bodies.map((body) => ({ body })),
  ).nulls.filter((field) => bodies.every((body) => body[field] === null))
  const read = `null in all of ${counted(bodies.length, 'assessment')}`
  if (unset.length > 0 && (bodies.length < enough || states.length < 2))
    throw new NotDecidable('data', `${unset} ${read}; read ${enough} or more, in two states`)
  const all = { resource: 'assessments', id: `in the states ${states.join(' and ')}` }
  return unset.map((field) => problem(neverSet(all, field, bodies), {}))
}

/** What tasks that updates may change show as their versions. */
type Versions = { versioned: readonly Came[]; unversioned: readonly Came[] }

export function versionsIn(came: readonly Came[]): Versions {
  if (came.length === 0) throw new NotDecidable(...toSet(['TASK_IDS'], ' to two or more tasks'))
  const versioned = came.filter(({ body }) => versionIn(body) !== undefined)
  const unversioned = came.filter(({ body }) => body.updated_at === null)
  if (versioned.length + unversioned.length === 0)
    throw new NotDecidable(
      'clause',
      'no task that was read shows updated_at as a string or as null',
      'task.read.fields',
      'task.read.timestamps',
    )
  return { versioned, unversioned }
}

/** The contract does not say which fields can be null, so one task without a version may be an exception. */
export function problemsOfNoVersion({ versioned, unversioned }: Versions): Problem[] {
  if (versioned.length > 0) return []
  const got = `null in ${counted(unversioned.length, 'task')}`
  if (unversioned.length < 2)
    throw new NotDecidable('freedom', `updated_at is ${got}, and TASK_IDS names no other`)
  const all = { resource: 'tasks', id: 'of TASK_IDS' }
  return [problem(neverSet(all, 'updated_at', unversioned), { judged: unversioned })]
}

export const problemsOfError = (came: Came) =>
  errorFields.flatMap((field) => {
    const { id, body } = came
    const finding = memberFinding(
      { resource: 'assessment', id },
      {
        member: field,
        got: body[field],
        wanted: { kind: 'value', value: null },
        to: `in state ${body.workflow_state}`,
      },
    )
    return problemUnless(body[field] == null, finding, { judged: came })
  })

export const problemsOfSilence = (came: Came) =>
  problemUnless(
    errorFields.some((field) => came.body[field] !== null),
    memberFinding(
      { resource: 'assessment', id: came.id },
      {
        member: '',
        got: null,
        wanted: { kind: 'any value', among: errorFields },
        to: 'in state Error',
      },
    ),
    { judged: came },
  )

/** The control is the task that names the assessment. */
type Resolved = { answer: Answer; assessment: unknown; task: JsonObject }

/** A task and its assessment have these in common. */
const fieldsOfBoth = fieldsWith('task', ({ form }) => form === 'id').filter(
  (field) => field !== 'id' && fieldsOf('assessment').includes(field),
)

export function problemsOfOtherAssessment({ answer, assessment, task }: Resolved): Problem[] {
  const again = { why: 'the task that names it has to be read first' }
  if (!isAccepted(answer)) return problemsOfStatus(answer, '2xx', { again })
  if (!isObject(assessment)) return problemsOfNoObject(answer)
  const isApart = (one: unknown, other: unknown) =>
    one != null && other != null && !isSameId(one, other)
  return fieldsOfBoth
    .filter((field) => isApart(task[field], assessment[field]))
    .map((field) => {
      const whose = `task ${task.id}, which names it`
      const finding = memberFinding(answer, {
        member: field,
        got: assessment[field],
        wanted: { kind: 'same value', as: 'control', value: task[field], whose },
      })
      // A script would have to read the task first.
      return problem(finding, { judged: answer, again: { signs: [{ member: field }] } })
    })
}

export function lastingMembers(resource: Resource, body: JsonObject): JsonObject {
  const restless = fieldsWith(resource, (field) => field.restless)
  const members = Object.entries(namedMembers(resource, body))
  return Object.fromEntries(members.filter(([name]) => !restless.includes(name)))
}

export type Pair = { what: string; again: JsonObject; control: JsonObject }

export const problemsOfApart = ({ what, again, control }: Pair): Problem[] =>
  Object.keys(control)
    .filter((name) => !isDeepStrictEqual(control[name], again[name]))
    .map((name) => {
      const whose = 'the read before it'
      const finding = memberFinding(
        { resource: what, id: `${again.id}` },
        {
          member: name,
          got: again[name],
          wanted: { kind: 'same value', as: 'control', value: control[name], whose },
        },
      )
      return problem(finding, {})
    })
