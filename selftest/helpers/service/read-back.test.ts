import { describe, expect, test } from 'vitest'
import type { Answer } from '../../../engine/http/client.ts'
import type { Assignment } from '../../../helpers/service/answers.ts'
import {
  problemsOfRead,
  problemsOfUpdate,
  type Sightings,
} from '../../../helpers/service/read-back.ts'
import { updateBody } from '../../../helpers/service/update-request.ts'

const id = '1d88d0e0-b9a5-448e-a9a7-000000000001'
const actorId = '1d88d0e0-b9a5-448e-a9a7-00000000000a'
const user = { id: '1d88d0e0-b9a5-448e-a9a7-00000000000b', type: 'USER' as const }
const comment = 'Contract test, please ignore 1'

const assigned = (more: Partial<Assignment> = {}): Assignment => ({
  assigned_by_id: actorId,
  assigned_to_id: user.id,
  assigned_to_type: user.type,
  assignment_comment: comment,
  ...more,
})

const answer = (method: string, updated_at: string, assignment: unknown): Answer =>
  ({
    exchange: 1,
    method,
    path: `/tasks/${id}`,
    status: 200,
    headers: {},
    text: JSON.stringify({ id, updated_at, assignment }),
  }) as unknown as Answer

/** Reads the task unassigned, updates it, and reads it again; gives whose matter what came is. */
function ownersAfter(
  answered: unknown,
  read: unknown,
  { sent = comment, version = 'v2' }: { sent?: string | null; version?: string } = {},
): string[] {
  const sightings: Sightings = new Map()
  const update = { id, ifMatch: 'v1', body: updateBody(actorId, user, sent), actorId }
  return [
    ...problemsOfRead(sightings, id, answer('GET', 'v1', null)),
    ...problemsOfUpdate(sightings, update, answer('PUT', version, answered)),
    ...problemsOfRead(sightings, id, answer('GET', version, read)),
  ].map(({ owner }) => owner)
}

describe('every accepted update is read back', () => {
  test.each([
    ['as it was sent', assigned(), assigned()],
    [
      'with ids in another letter case',
      assigned({ assigned_to_id: user.id.toUpperCase() }),
      assigned(),
    ],
  ])('nothing is wrong: %s', (_, answered, read) => {
    expect(ownersAfter(answered, read)).toEqual([])
  })

  test.each<[string, unknown, unknown, string]>([
    [
      'the answer names somebody else',
      assigned({ assigned_to_id: actorId }),
      null,
      'assign.fields-as-given',
    ],
    [
      'the answer names another assigner',
      assigned({ assigned_by_id: user.id }),
      null,
      'assign.fields-as-given',
    ],
    ['a read shows nobody', assigned(), null, 'assign.persisted'],
    [
      'a read shows another type',
      assigned(),
      assigned({ assigned_to_type: 'TEAM' }),
      'assign.persisted',
    ],
    [
      'the comment is lost in the answer',
      assigned({ assignment_comment: null }),
      null,
      'assign.comment.plain',
    ],
    [
      'the comment is cut in a read',
      assigned(),
      assigned({ assignment_comment: 'Contract' }),
      'assign.comment.plain',
    ],
  ])('%s', (_, answered, read, owner) => {
    expect(ownersAfter(answered, read)).toContain(owner)
  })

  test('a comment where null was sent is one that nobody sent', () => {
    expect(ownersAfter(assigned(), assigned(), { sent: null })).toContain('assign.comment.null')
  })

  test('a version that a changing update leaves as it was, which tells nothing of what reads show', () => {
    expect(ownersAfter(assigned(), null, { version: 'v1' })).toEqual(['assign.new-version'])
  })
})
