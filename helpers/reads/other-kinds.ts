// Ids of something else, such as an entity: no task and no assessment has them.

import { expect } from '../../engine/clause/matchers.ts'
import { acceptedBody, isAccepted } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { isUuid } from '../../engine/settings/parsers.ts'
import { isSameId } from '../service/ids.ts'
import { fieldsShaped, problemsOf } from '../service/schema.ts'
import type { Reading, Resource } from './readings.ts'

/**
 * Expects 404 to an id of the other resource, and to each other id in a read. Returns what these ids are
 * of, for a note.
 */
export async function expectOtherKindsNotFound(
  resource: Resource,
  read: (id: string) => Promise<Answer>,
  { readings, other }: { readings: readonly Reading[]; other: string | undefined },
): Promise<string[]> {
  const ids = [
    ...(other === undefined
      ? []
      : [{ of: resource === 'task' ? 'assessment' : 'task', id: other }]),
    ...idsBeside(resource, readings),
  ]
  const asked = await Promise.all(
    ids.map(async (each) => ({ ...each, answer: await read(each.id) })),
  )
  const judged = asked.filter((each) => !mayExist(resource, each))
  const control = readings.find(({ answer }) => isAccepted(answer))?.answer
  for (const { answer } of judged) expect(answer).toHaveStatus(404, { control })
  return judged.map(({ of }) => of)
}

/** The first id in each field, other than the resource's own. */
function idsBeside(resource: Resource, readings: readonly Reading[]): { of: string; id: string }[] {
  const bodies = readings.map(({ answer }) => acceptedBody(answer) ?? {})
  const fields = fieldsShaped(resource, 'uuid').filter((field) => field !== 'id')
  return fields.flatMap((field) => {
    const id = bodies.map((body) => String(body[field])).find(isUuid)
    return id === undefined ? [] : [{ of: field.replace(/_id$/, ''), id }]
  })
}

/**
 * Whether a resource may really have this id: ids need not differ between resources. Then the answer is
 * whole and has the requested id.
 */
export function mayExist(resource: Resource, { id, answer }: Reading): boolean {
  if (answer.status === 403) return true
  const body = acceptedBody(answer)
  return (
    body !== undefined &&
    isSameId(body.id, id) &&
    problemsOf(resource, body).every(({ kind, path }) => kind !== 'missing' || path.includes('.'))
  )
}
