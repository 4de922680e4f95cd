import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { problemsOf, type SchemaName } from '../../../helpers/service/schema.ts'
import { makeWorld } from '../../../reference/world/world.ts'

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
