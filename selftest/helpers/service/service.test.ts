import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import type { Answer } from '../../../engine/http/client.ts'
import { FateUnknown } from '../../../engine/http/fate-unknown.ts'
import { Trouble } from '../../../engine/outcome.ts'
import { askedBetween } from '../../../helpers/service/answered.ts'
import type { Assignment } from '../../../helpers/service/answers.ts'
import { describeWhole, putBackTo } from '../../../helpers/service/assignments.ts'
import { problemsOfAnswer, type Resource, type Wrote } from '../../../helpers/service/judge.ts'
import { operationsIn, ownersOf, ownersOfChange } from '../../../helpers/service/owners.ts'
import { problemsOf, type SchemaName } from '../../../helpers/service/schema.ts'
import { createService } from '../../../helpers/service/service.ts'
import { unassignBody, updateBody } from '../../../helpers/service/update-request.ts'
import { makeWorld } from '../../../reference/world/world.ts'
import { clientFor, httpServer } from '../../engine/http/servers.ts'

const of = (status: number) => ({ status }) as Answer
const trouble = Object.assign(new Trouble('answered 503 (3 attempts)'), { status: 503 })

/** Asks where the first answer is trouble, then those of a list; controls are of another. */
const ask = (then: number[], controls: number[]) =>
  askedBetween(
    async ({ retries }) => {
      if (retries !== false) throw trouble
      return of(then.shift() ?? 503)
    },
    async () => of(controls.shift() ?? 200),
  )

test('a 5xx three times between accepted controls is the answer', async () => {
  expect((await ask([], [])).status).toBe(503)
})

test.each([
  ['once another answer comes', [503, 404], []],
  ['before the first control is accepted', [], [503]],
  ['after the last control is not', [], [200, 200, 200, 503]],
])('it stays trouble %s', async (_, then, controls) => {
  await expect(ask(then, controls)).rejects.toBe(trouble)
})

const assigned: Assignment = {
  assigned_by_id: 'ada',
  assigned_to_id: 'bob',
  assigned_to_type: 'USER',
  assignment_comment: 'please',
}

describe('an assignment', () => {
  test('is described as a whole, so that differences show', () => {
    expect(describeWhole(assigned)).toBe('USER bob, assigned by ada, with the comment "please"')
    expect(describeWhole(null)).toBe('null')
    expect(describeWhole({} as Assignment)).toBe('{}')
  })

  test('without any value is put back as none, and one that lacks a member as it came', () => {
    const { assigned_to_id: _, ...part } = assigned
    expect(putBackTo(assigned)).toBe(assigned)
    expect(putBackTo(null)).toBe(null)
    expect(putBackTo({} as Assignment)).toBe(null)
    expect(putBackTo(part as Assignment)).toBe(part)
  })
})

/** A service that closes the first connection, as after an idle timeout. */
async function serviceThatClosesOnce() {
  let count = 0
  const url = await httpServer((request, response) => {
    count += 1
    if (count === 1) request.socket.destroy()
    else response.writeHead(404).end()
  })
  return createService(clientFor(url).client, () => {}, { isGiven: (_, id) => id === 'given' })
}

const version = '2026-01-01T00:00:00.000Z'

test('an update of an unknown id is repeated if its connection was closed', async () => {
  const service = await serviceThatClosesOnce()
  const answer = await service.put('unknown', version, unassignBody('me'))
  expect(answer).toMatchObject({ status: 404, attempts: 2 })
})

test('an update of a task is not: it may have been accepted', async () => {
  const service = await serviceThatClosesOnce()
  const sent = service.put('given', version, unassignBody('me'))
  await expect(sent).rejects.toBeInstanceOf(FateUnknown)
})

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

const [task] = makeWorld(1).tasks
const sentences = (name: SchemaName, value: unknown) =>
  problemsOf(name, value).map(({ sentence }) => sentence)
const withTime = (created_at: unknown) => ({ ...task, created_at })

describe('timestamps', () => {
  // biome-ignore format: several on a line
  test.each([
    '2026-11-20T07:01:22Z', '2026-11-20T07:01Z', '2026-11-20T07Z', '2026-11-20t07:01:22z',
    '2026-11-20T07:01:22.1Z', '2026-11-20T07:01:22,123456789Z', '2026-11-20T07:01:22.123+00:00',
    '2026-11-20T07:01:22+0000', '2026-11-20T07:01:22+00', '20261120T070122Z',
    '2026-W47-5T07:01:22Z', '2026W475T070122Z', '2026-324T07:01:22Z', '2026-06-30T23:59:60Z',
    '2026-11-20T24:00:00Z', null,
  ])('%s is one', (value) => expect(sentences('task', withTime(value))).toEqual([]))

  // biome-ignore format: several on a line
  test.each([
    '2026-11-20 07:01:22Z', '2026-11-20T07:01:22', '2026-11-20T07:01:22+01:00',
    '2026-11-20T07:01:22-00:30', '2026-13-20T07:01:22Z', '2026-11-32T07:01:22Z',
    '2026-W54-1T07:01:22Z', '2026-11-20T25:01:22Z', '2026-11-20', '1763622082', '',
    '2026-11-20T07:01:22Z\n', 1763622082, {},
  ])('%j is not one', (value) => expect(sentences('task', withTime(value))).toHaveLength(1))
})

describe('identifiers', () => {
  test.each(['123e4567-e89b-12d3-a456-426614174000', 'FFFFFFFF-ffff-FFFF-ffff-FFFFFFFFFFFF', null])(
    '%s is one, with any version',
    (entity_id) => expect(sentences('task', { ...task, entity_id })).toEqual([]),
  )

  test.each(['', '123e4567e89b12d3a456426614174000', '{123e4567-e89b-12d3-a456-426614174000}', 7])(
    '%j is not one',
    (entity_id) => expect(sentences('task', { ...task, entity_id })).toHaveLength(1),
  )
})

describe('sentences name member, value and expectation', () => {
  test('every problem at once', () => {
    expect(sentences('task', { ...task, data_version: '7', status: 3, id: null })).toEqual([
      'id is null, not UUID-shaped',
      'data_version is "7", not integer or null',
      'status is 3, not string or null',
    ])
  })

  test('for a member of the assignment, without saying that it may be null', () => {
    const assignment = { assigned_by_id: 'x', assigned_to_type: 'PERSON', assignment_comment: 5 }
    expect(sentences('task', { ...task, assignment })).toEqual([
      'assignment.assigned_to_id is missing',
      'assignment.assigned_by_id is "x", not UUID-shaped',
      'assignment.assigned_to_type is "PERSON", not USER or TEAM',
      'assignment.assignment_comment is 5, not string or null',
    ])
  })

  test('for an assignment that is neither null nor an object', () => {
    expect(sentences('task', { ...task, assignment: 'mary' })).toEqual([
      'assignment is "mary", not Assignment or null',
    ])
  })

  test('a value that is not an object', () => {
    expect(sentences('assessment', [])).toEqual(['the value is [], not Assessment'])
  })

  test('a long value is cut', () => {
    expect(sentences('task', { ...task, entity_id: 'x'.repeat(500) })[0]?.length).toBeLessThan(130)
  })
})

const schemas = join(import.meta.dirname, '../../../schemas')
const files = readdirSync(schemas).filter((name) => name.endsWith('.json'))

// A run relies on it without checking.
test.each(files)('%s is a JSON Schema', (name) => {
  const ajv = new Ajv2020()
  const schema = JSON.parse(readFileSync(join(schemas, name), 'utf8'))
  expect(ajv.validateSchema(schema), ajv.errorsText()).toBe(true)
})
