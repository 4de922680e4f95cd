import { distinct } from '../../engine/distinct.ts'
import { isAccepted, isObject, type JsonObject, jsonIn } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { typeAmong } from '../../engine/http/shapes.ts'
import { NotDecidable } from '../../engine/outcome.ts'
import type { Known } from '../service/known.ts'
import { fieldsOf, problemsOf } from '../service/schema.ts'
import type { Shared } from '../service/service.ts'

/** The answer to one read of a given task or assessment. */
export type Reading = { id: string; answer: Answer }

/** Reads each task that is known; once a run, for all clauses. */
export const tasksRead = (shared: Shared, { tasks }: Known): Promise<Reading[]> =>
  Promise.all(
    tasks.map(({ id }) =>
      shared(`task ${id}`, async ({ readTask }) => ({ id, answer: await readTask(id) })),
    ),
  )

/** Reads each assessment that is known; once a run, for all clauses. */
export const assessmentsRead = (shared: Shared, { assessmentIds }: Known): Promise<Reading[]> =>
  Promise.all(
    assessmentIds.map((id) =>
      shared(`assessment ${id}`, async ({ readAssessment }) => ({
        id,
        answer: await readAssessment(id),
      })),
    ),
  )

/** The readings that the key may make at all; what a key may do is not shown (rule R5). */
export function needPermitted(readings: readonly Reading[]): Reading[] {
  const allowed = readings.filter(({ answer }) => answer.status !== 403)
  if (allowed.length === 0)
    throw new NotDecidable(`${readings[0]?.answer.path} answered 403: the key may not read it`)
  return allowed
}

/**
 * The readings but those of what has gone since the first contact: on a shared environment others
 * delete things, and then 404 is the right answer.
 */
export async function needStillThere(
  readings: readonly Reading[],
  read: (id: string) => Promise<Answer>,
): Promise<Reading[]> {
  const there: Reading[] = []
  for (const reading of needPermitted(readings)) {
    const gone = reading.answer.status === 404 && (await read(reading.id)).status === 404
    if (!gone) there.push(reading)
  }
  if (there.length === 0) throw new NotDecidable('what was there at first has gone since (404)')
  return there
}

/** The resources that came; whether they come at all is the matter of one clause alone. */
export function bodiesOf(readings: readonly Reading[]): { id: string; body: JsonObject }[] {
  const bodies = needPermitted(readings).flatMap(({ id, answer }) => {
    const body = isAccepted(answer) ? jsonIn(answer) : undefined
    return isObject(body) ? [{ id, body }] : []
  })
  if (bodies.length === 0)
    throw new NotDecidable('no read gave a JSON object: see the clause on success')
  return bodies
}

export type Resource = 'task' | 'assessment'

/** The required members that are missing, one sentence each. */
export function problemsOfMissing(resource: Resource, readings: readonly Reading[]): string[] {
  return problemsIn(resource, readings, (path, kind) => kind === 'missing' && !path.includes('.'))
}

/** The members among those named whose values have another form than the contract gives. */
export function problemsOfForm(
  resource: Resource,
  readings: readonly Reading[],
  fields: readonly string[],
): string[] {
  const set = bodiesOf(readings).some(({ body }) => fields.some((field) => body[field] != null))
  if (!set) throw new NotDecidable(`none of ${fields.join(', ')} is set in what was read`)
  return problemsIn(
    resource,
    readings,
    (path, kind) =>
      fields.includes(path.split('.')[0] ?? '') && (kind === 'form' || path.includes('.')),
  )
}

function problemsIn(
  resource: Resource,
  readings: readonly Reading[],
  concerns: (path: string, kind: 'missing' | 'form') => boolean,
): string[] {
  return bodiesOf(readings).flatMap(({ id, body }) =>
    problemsOf(resource, body)
      .filter(({ path, kind }) => concerns(path, kind))
      .map(({ sentence }) => `${resource} ${id}: ${sentence}`),
  )
}

/** The members that the contract names, of a resource that may show further ones. */
export function namedMembers(resource: Resource, body: JsonObject): JsonObject {
  return Object.fromEntries(fieldsOf(resource).map((field) => [field, body[field]]))
}

const mayBeNull: Record<Resource, RegExp> = {
  task: /^(assignment|custom_metadata|name)$/,
  assessment: /^error_/,
}

/**
 * Members that were null somewhere though the contract does not say that they can be, and members
 * that it does not name and every body has, with their types.
 */
export function silences(resource: Resource, readings: readonly Reading[]) {
  const named = fieldsOf(resource)
  const bodies = bodiesOf(readings).map(({ body }) => body)
  // What only some show may come and go with their state.
  const extras = distinct(Object.keys(bodies[0] ?? {})).filter(
    (field) => !named.includes(field) && bodies.every((body) => field in body),
  )
  return {
    nulls: named.filter(
      (field) => !mayBeNull[resource].test(field) && bodies.some((body) => body[field] === null),
    ),
    extras: Object.fromEntries(
      extras.map((field) => [field, typeAmong(bodies.map((body) => body[field]))]),
    ),
  }
}
