import { describe, expect, test } from 'vitest'
import type { Answer } from '../../../engine/http/client.ts'
import { problemsOfAnswer, type Resource, type Wrote } from '../../../helpers/service/judge.ts'
import { operationsIn, ownersOf, ownersOfChange } from '../../../helpers/service/owners.ts'
import { unassignBody, updateBody } from '../../../helpers/service/update-request.ts'
import { makeWorld } from '../../../reference/world/world.ts'

const world = makeWorld(1)
const id = world.tasks[0]?.id ?? ''
const other = world.tasks[1]?.id ?? ''
const by = { assigned_by_id: id, assigned_to_id: id, assigned_to_type: 'USER' }
const assignment = { ...by, assignment_comment: null }
const bodies = { task: { ...world.tasks[0], assignment }, assessment: world.assessments[0] }
const answered = (body: unknown, given: Partial<Answer> = {}) => {
  const text = JSON.stringify(body)
  return { method: 'GET', path: `/x/${id}`, status: 200, text, exchange: 4, ...given } as Answer
}
const judge = (resource: Resource, changed: object, wrote?: Wrote) =>
  problemsOfAnswer(resource, id, answered({ ...bodies[resource], id, ...changed }), wrote)

describe('an accepted answer breaks', () => {
  // biome-ignore format: one departure a line
  test.each<[string, object, string]>([
    ['task.read.fields', { id: undefined }, 'id is missing'],
    ['task.read.identity', { id: other }, `id is "${other}", not ${id}`],
    ['task.read.fields', { assignment: undefined }, 'assignment is missing'],
    ['task.read.assignment', { assignment: { ...assignment, assigned_to_id: undefined } }, 'assignment.assigned_to_id is missing'],
    ['task.read.assignment', { assignment: 7 }, 'assignment is 7, not Assignment or null'],
    ['task.read.identifiers', { entity_id: 'x' }, 'entity_id is "x", not UUID-shaped'],
    ['assessment.read.identifiers', { entity_id: 'x' }, 'entity_id is "x", not UUID-shaped'],
    ['task.read.timestamps', { created_at: 7 }, 'created_at is 7, not'],
    ['task.read.types', { data_version: '1' }, 'data_version is "1", not integer or null'],
    ['assessment.read.state', { workflow_state: 7 }, 'workflow_state is 7, not'],
    ['assessment.read.fields', { workflow_state: undefined }, 'workflow_state is missing'],
    ['assessment.read.error-fields', { error_type: undefined }, 'error_type is missing'],
  ])('the clause %s by %j: %s', (owner, changed, sentence) => {
    const resource = owner.split('.')[0] as Resource
    expect(judge(resource, { id: id.toUpperCase() })).toEqual([])
    const [found, ...more] = judge(resource, changed)
    expect(more).toEqual([])
    expect(found).toMatchObject({ owner, judged: [4] })
    expect(found?.sentence).toContain(`GET /x/${id} responded 200: ${sentence}`)
    const again = { signs: [{ member: 'id', is: id, anyCase: true }] }
    if (owner.endsWith('identity'))
      expect(found).toMatchObject({ expected: `"${id}"`, got: `"${other}"`, again })
  })

  test.each([
    ['GET', 'task.read.success'],
    ['PUT', 'assign.answer-is-task'],
  ])('of %s without an object %s, and a refusal breaks nothing', (method, owner) => {
    const [found] = problemsOfAnswer('task', id, answered([], { method }))
    expect(found).toMatchObject({
      ...{ owner, sentence: `${method} /x/${id} responded 200: "[]" is not a JSON object` },
      ...{ expected: 'a JSON object', got: '"[]"' },
    })
    expect(problemsOfAnswer('task', id, answered([], { method, status: 404 }))).toEqual([])
  })

  test('nothing by a member of the assignment that this run wrote', () => {
    const wrong = { assignment: { ...assignment, assigned_by_id: 'x' } }
    const wrote: Wrote = (...given) => JSON.stringify(given) === `["${id}","assigned_by_id","x"]`
    expect(judge('task', wrong)).toHaveLength(1)
    expect(judge('task', wrong, wrote)).toEqual([])
    expect(judge('task', { assigned_by_id: 'x', data_version: 'x' }, () => true)).toHaveLength(1)
    expect(judge('task', { assignment: 7 }, (_, ...given) => given.join() === ',')).toEqual([])
  })
})

const to = { id, type: 'USER' } as const
const user = ['assign.unassigned-to-user', 'assign.user-to-user', 'assign.team-to-user']
const team = ['assign.unassigned-to-team', 'assign.user-to-team', 'assign.team-to-team']
const nobody = ['assign.unassign-user', 'assign.unassign-team']
const [assign, unassign] = ['assign.update', 'assign.unassign']

// biome-ignore format: one request a line
test.each<[string, object | undefined, string[], string[]]>([
  ['/tasks/1', undefined, ['task.read.success'], ['task.read']],
  ['/assessments/1', undefined, ['assessment.read.success'], ['assessment.read']],
  ['/exports?file_type=pdf', undefined, ['export.pdf.status'], []],
  ['/exports?file_type=csv', undefined, ['export.csv.status'], ['export']],
  ['/exports', undefined, ['export.default-csv', 'export.csv.status'], ['export']],
  ['/tasks/1/update-assignment', updateBody(id, to), [...user, 'assign.comment.omitted'], [assign]],
  ['/tasks/1/update-assignment', updateBody(id, to, null), [...user, 'assign.comment.null'], [assign]],
  ['/tasks/1/update-assignment', updateBody(id, { id, type: 'TEAM' }, ''), [...team, 'assign.comment.plain'], [assign]],
  ['/tasks/1/update-assignment', unassignBody(id), [...nobody, 'assign.comment.unassign-without'], [unassign]],
  ['/tasks/1/update-assignment', unassignBody(id, 'c'), [...nobody, 'assign.comment.unassign-with'], [unassign]],
])('who judges whether %s with %j is accepted, and what it is', (path, body, owners, operations) => {
  const method = body ? 'PUT' : 'GET'
  const request = { method, path, status: 404, ...(body ? { sent: JSON.stringify(body) } : {}) }
  expect(ownersOf(request)).toEqual(owners)
  expect(operationsIn(request)).toEqual(operations)
  if (!body) {
    // An update without a body has no assignee.
    const bare = { method: 'PUT', path, status: 404 }
    expect(ownersOf(bare)).toEqual([...nobody, 'assign.comment.unassign-without'])
    return expect(operationsIn(bare)).toEqual([assign])
  }
  const changes = ['assign.persisted', ...user, ...team, ...nobody]
  expect(ownersOfChange).toEqual(changes)
  const mismatch = ['version.current-accepted', 'version.retry', ...changes]
  expect(ownersOf({ ...request, status: 409 })).toEqual(mismatch)
})
