import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { memberFinding } from '../../../engine/findings/member.ts'
import type { Answer } from '../../../engine/http/client.ts'
import { FateUnknown } from '../../../engine/http/fate-unknown.ts'
import { Trouble } from '../../../engine/outcome.ts'
import { sentenceOf } from '../../../helpers/findings/kinds.ts'
import { askedBetween } from '../../../helpers/service/answered.ts'
import type { Assignment } from '../../../helpers/service/answers.ts'
import { describeWhole, isSameButAssigner } from '../../../helpers/service/assignments.ts'
import { problemsOfAnswer, type Wrote } from '../../../helpers/service/judge.ts'
import { problemsOf, type SchemaName } from '../../../helpers/service/schema.ts'
import { createService } from '../../../helpers/service/service.ts'
import { assignmentIn, type People, wholeOf } from '../../../helpers/service/task-members.ts'
import { unassignBody } from '../../../helpers/service/update-request.ts'
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
  expect((await ask([], [])).answer.status).toBe(503)
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
    const whole = 'USER bob, assigned by ada, with the comment "please"'
    const all = [assigned, null, {} as Assignment].map(describeWhole)
    expect(all).toEqual([whole, 'null', '{}'])
  })

  const inTask = (assignment: unknown, sent?: object) =>
    assignmentIn({ updated_at: 'v', assignment }, sent && JSON.stringify(sent))

  test.each([undefined, null, '', false, [], {}, { assigned_to_id: null }])(
    'that is %j in a read means unassigned',
    (empty) => expect(inTask(empty)).toBe(null),
  )

  test('has a type in any letter case', () => {
    expect(inTask({ ...assigned, assigned_to_type: 'user' })).toEqual(assigned)
  })

  test('that cannot be read stays as it is, and so do its members', () => {
    const part = { ...assigned, assigned_to_type: 'PERSON', assigned_by_id: 7 }
    for (const kept of ['bob', 7, part]) expect(inTask(kept)).toEqual(kept)
  })

  test('is as sent where the response to an update lacks it', () => {
    const id = '00000000-0000-4000-8000-000000000001'
    const update = { assigned_by_id: id, assigned_to_id: id, assigned_to_type: 'TEAM' as const }
    for (const lacking of [undefined, 'bob', { assigned_to_type: 7 }])
      expect(inTask(lacking, { update })).toEqual(update)
    expect(inTask(undefined, unassignBody(id))).toBe(null)
    expect(inTask(undefined, { update, more: true })).toBe(undefined)
    expect(inTask(null, { update })).toBe(null)
  })

  test('is sent again with the type of the settings where it lacks one, and with a text for a number', () => {
    const { assigned_to_type: _, ...untyped } = assigned
    const of = (people: Partial<People>) =>
      wholeOf(untyped as Assignment, { userIds: [], teamIds: [], ...people }).assigned_to_type
    expect([of({ userIds: ['BOB'] }), of({ teamIds: ['bob'] }), of({})]).toEqual([
      'USER',
      'TEAM',
      undefined,
    ])
    const numbered = { ...assigned, assignment_comment: 7 as never }
    expect(wholeOf(numbered, { userIds: [], teamIds: [] }).assignment_comment).toBe('7')
    expect(isSameButAssigner(numbered, { ...assigned, assignment_comment: '7' })).toBe(true)
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
const by = { assigned_by_id: id, assigned_to_id: id, assigned_to_type: 'USER' }
const assignment = { ...by, assignment_comment: null }
const bodies = { task: { ...world.tasks[0], assignment }, assessment: world.assessments[0] }
const answered = (body: unknown, given: Partial<Answer> = {}) => {
  const text = JSON.stringify(body)
  return { method: 'GET', path: `/x/${id}`, status: 200, text, exchange: 4, ...given } as Answer
}
const judge = (resource: keyof typeof bodies, changed: object, wrote?: Wrote) =>
  problemsOfAnswer(resource, id, answered({ ...bodies[resource], id, ...changed }), wrote)

test('an accepted answer breaks nothing by a member of the assignment that this run wrote', () => {
  const wrong = { assignment: { ...assignment, assigned_by_id: 'x' } }
  const wrote: Wrote = (...given) => JSON.stringify(given) === `["${id}","assigned_by_id","x"]`
  expect(judge('task', wrong)).toHaveLength(1)
  expect(judge('task', wrong, wrote)).toEqual([])
  expect(judge('task', { assigned_by_id: 'x', data_version: 'x' }, () => true)).toHaveLength(1)
  expect(judge('task', { assignment: 7 }, (_, ...given) => given.join() === ',')).toEqual([])
})

const [task] = makeWorld(1).tasks
const sentences = (name: SchemaName, value: unknown) =>
  problemsOf(name, value).map(({ path: member, got, wanted }) =>
    sentenceOf(memberFinding({ resource: name, id: 'x' }, { member, got, wanted })).replace(
      `${name} x: `,
      '',
    ),
  )
const withTime = (created_at: unknown) => ({ ...task, created_at })

describe('timestamps', () => {
  // biome-ignore format: several on a line
  test.each([
    '2026-11-20T07:01:22Z', '2026-11-20T07:01Z', '2026-11-20T07Z', '2026-11-20t07:01:22z',
    '2026-11-20T07:01:22.1Z', '2026-11-20T07:01:22,123456789Z', '2026-11-20T07:01:22.123+00:00',
    '2026-11-20T07:01:22+0000', '2026-11-20T07:01:22+00', '20261120T070122Z',
    '2026-W47-5T07:01:22Z', '2026W475T070122Z', '2026-324T07:01:22Z', '2026-06-30T23:59:60Z',
    '2026-11-20T24:00:00Z', '+002026-11-20T07:01:22.036Z', null,
  ])('%s is one', (value) => expect(sentences('task', withTime(value))).toEqual([]))

  // biome-ignore format: several on a line
  test.each([
    '2026-11-20 07:01:22Z', '2026-11-20T07:01:22', '2026-11-20T07:01:22+01:00',
    '2026-11-20T07:01:22-00:30', '2026-13-20T07:01:22Z', '2026-11-32T07:01:22Z',
    '2026-W54-1T07:01:22Z', '2026-11-20T25:01:22Z', '2026-11-20', '1763622082', '',
    '2026-11-20T07:01:22Z\n', '+012026-11-20T07:01:22Z', 1763622082, {},
  ])('%j is not one', (value) => expect(sentences('task', withTime(value))).toHaveLength(1))
})

// biome-ignore format: one answer a line
test.each<[string, SchemaName, unknown, string[]]>([
  ['every problem at once', 'task', { ...task, data_version: '7', status: 3, id: null }, [
    'id is null, not UUID-shaped',
    'data_version is "7", not integer',
    'status is 3, not string',
  ]],
  ['a member of the assignment, without saying that it may be null', 'task', { ...task, assignment: { assigned_by_id: 'x', assigned_to_type: 'PERSON', assignment_comment: 5 } }, [
    'assignment.assigned_to_id is missing',
    'assignment.assigned_by_id is "x", not UUID-shaped',
    'assignment.assigned_to_type is "PERSON", not USER or TEAM',
    'assignment.assignment_comment is 5, not string',
  ]],
  ['an assignment that is neither null nor an object', 'task', { ...task, assignment: 'mary' }, ['assignment is "mary", not Assignment']],
  ['a value that is not an object', 'assessment', [], ['the body is [], not Assessment']],
])('sentences name member, value and expectation: %s', (_, name, value, said) => {
  expect(sentences(name, value)).toEqual(said)
})

test('a long value is cut in a sentence', () => {
  expect(sentences('task', { ...task, entity_id: 'x'.repeat(500) })[0]?.length).toBeLessThan(130)
})

const schemas = join(import.meta.dirname, '../../../schemas')
const files = readdirSync(schemas).filter((name) => name.endsWith('.json'))

// A run relies on it without checking.
test.each(files)('%s is a JSON Schema', (name) => {
  const ajv = new Ajv2020()
  const schema = JSON.parse(readFileSync(join(schemas, name), 'utf8'))
  expect(ajv.validateSchema(schema), ajv.errorsText()).toBe(true)
})
