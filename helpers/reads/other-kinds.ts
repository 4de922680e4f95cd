import { type Case, caseOf } from '../../engine/clause/case.ts'
import { acceptedBody, isAccepted } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { isUuid } from '../../engine/settings/parsers.ts'
import { fieldsWith, type Resource } from '../contract/fields.ts'
import { isSameId } from '../service/ids.ts'
import { problemsOf } from '../service/schema.ts'
import type { Reading } from './readings.ts'

export async function fetchOtherKinds(
  resource: Resource,
  read: (id: string) => Promise<Answer>,
  { readings, other }: { readings: readonly Reading[]; other: string | undefined },
): Promise<Case<Answer>[]> {
  const ids = [...(other === undefined ? [] : [other]), ...idsBeside(resource, readings)]
  const asked = await Promise.all(ids.map(async (id) => ({ id, answer: await read(id) })))
  const control = readings.find(({ answer }) => isAccepted(answer))?.answer
  return asked
    .filter((each) => !mayExist(resource, each))
    .map(({ answer }) => caseOf(answer, { control }))
}

function idsBeside(resource: Resource, readings: readonly Reading[]): string[] {
  const bodies = readings.map(({ answer }) => acceptedBody(answer) ?? {})
  const fields = fieldsWith(resource, ({ form }) => form === 'id').filter((field) => field !== 'id')
  return fields.flatMap((field) => bodies.map((body) => String(body[field])).find(isUuid) ?? [])
}

/** Ids need not differ between resources: then the answer is whole and has the requested id. */
function mayExist(resource: Resource, { id, answer }: Reading): boolean {
  if (answer.status === 403) return true
  const body = acceptedBody(answer)
  return (
    body !== undefined &&
    isSameId(body.id, id) &&
    problemsOf(resource, body).every(({ kind, path }) => kind !== 'missing' || path.includes('.'))
  )
}
