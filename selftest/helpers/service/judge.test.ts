import { describe, expect, test } from 'vitest'
import type { Answer } from '../../../engine/http/client.ts'
import { problemsOfAnswer, type Resource, type Wrote } from '../../../helpers/service/judge.ts'
import { operationsIn, ownersOf, ownersOfChange } from '../../../helpers/service/owners.ts'
import { unassignBody, updateBody } from '../../../helpers/service/update-request.ts'
import { makeWorld } from '../../../reference/world/world.ts'

const world = makeWorld(1)
const id = world.tasks[0]?.id ?? ''
const assignment = {
  ...{ assigned_by_id: id, assigned_to_id: id, assigned_to_type: 'USER' },
  assignment_comment: null,
}
const bodies = {
  task: { ...world.tasks[0], assignment },
  assessment: { ...world.assessments[0], id },
}
const answered = (body: unknown, given: Partial<Answer> = {}) => {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return { method: 'GET', path: `/x/${id}`, status: 200, text, exchange: 4, ...given } as Answer
}
const judge = (resource: Resource, changed: object, wrote?: Wrote) =>
  problemsOfAnswer(resource, id, answered({ ...bodies[resource], ...changed }), wrote)

describe('an accepted answer breaks', () => {
  test.each<[Resource, object, string, string]>([
    ['task', { id: undefined }, 'fields', 'id is missing'],
    ['task', { assignment: undefined }, 'fields', 'assignment is missing'],
    [
      'task',
      { assignment: { ...assignment, assigned_to_id: undefined } },
      'assignment',
      'assignment.assigned_to_id is missing',
    ],
    ['task', { assignment: 7 }, 'assignment', 'assignment is 7, not Assignment or null'],
    ...(['task', 'assessment'] as const).flatMap(
      (resource): [Resource, object, string, string][] => [
        [resource, { entity_id: 'x' }, 'identifiers', 'entity_id is "x", not UUID-shaped'],
        [resource, { created_at: 7 }, 'timestamps', 'created_at is 7, not'],
      ],
    ),
    ['task', { data_version: '1' }, 'types', 'data_version is "1", not integer or null'],
    ['assessment', { workflow_state: 7 }, 'state', 'workflow_state is 7, not'],
    ['assessment', { workflow_state: undefined }, 'fields', 'workflow_state is missing'],
    ['assessment', { error_type: undefined }, 'error-fields', 'error_type is missing'],
  ])('of %s by %j the clause about %s: %s', (resource, changed, owner, sentence) => {
    expect(judge(resource, {})).toEqual([])
    const [found, ...more] = judge(resource, changed)
    expect(more).toEqual([])
    expect(found?.owner).toBe(`${resource}.read.${owner}`)
    expect(found?.sentence).toContain(`GET /x/${id} answered 200: ${sentence}`)
    expect(found?.judged).toEqual([4])
  })

  test('by another id the clause about identity, in any letter case', () => {
    const other = world.tasks[1]?.id ?? ''
    expect(judge('task', { id: id.toUpperCase() })).toEqual([])
    expect(judge('task', { id: other })).toEqual([
      {
        owner: 'task.read.identity',
        sentence: `GET /x/${id} answered 200: id is "${other}", not ${id}`,
        ...{ expected: `"${id}"`, got: `"${other}"`, judged: [4], control: [] },
        again: { signs: [{ member: 'id', is: id, anyCase: true }] },
      },
    ])
  })

  test.each([
    ['GET', 'task.read.success'],
    ['PUT', 'assign.answer-is-task'],
  ])('of %s without an object %s, and a refusal breaks nothing', (method, owner) => {
    const [found] = problemsOfAnswer('task', id, answered('[]', { method }))
    expect(found).toMatchObject({
      ...{ owner, sentence: `${method} /x/${id} answered 200: "[]" is not a JSON object` },
      ...{ expected: 'a JSON object', got: '"[]"', again: { signs: [{ file: 'a JSON object' }] } },
    })
    expect(problemsOfAnswer('task', id, answered('[]', { method, status: 404 }))).toEqual([])
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
