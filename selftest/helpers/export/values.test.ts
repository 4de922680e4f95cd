import { expect, test } from 'vitest'
import { valuesBeside, valuesToTry } from '../../../helpers/export/learn/values.ts'

type Sources = Parameters<typeof valuesBeside>[1]
type Window = Parameters<typeof valuesToTry>[1]

const answer = (status: number, body: unknown) => ({
  answer: { status, text: JSON.stringify(body), headers: {} },
})
const sources = {
  settings: { actorId: 'A', userIds: ['U1', 'U2'], metadataValues: { entity_id: ['named'] } },
  read: async () => ({
    tasks: [answer(200, { id: 't1', entity_id: 'e1' }), answer(404, { id: 't2', entity_id: 'e2' })],
    assessments: [answer(200, { id: 'a1', entity_id: 'e3' }), answer(200, { entity_id: '' })],
  }),
} as unknown as Sources

test.each([
  ['auditee_id', ['A', 'U1', 'U2']],
  ['sub_type', ['created', 'updated']],
  ['entity_id', ['named', 'e1', 'e3']],
  ['task_id', ['t1']],
  ['assessment_id', ['a1']],
  ['tag', []],
] as const)('values of %s that events may have', async (field, expected) => {
  expect(await valuesBeside(field, sources)).toEqual(expected)
})

test('values of a column of its name are tried first', async () => {
  const rows = ['one', 'two', 'three'].map((value) => [value, 'x'])
  const window = { header: ['sub_type', 'other'], rows, columns: [0, 1] } as unknown as Window
  expect(await valuesToTry('sub_type', window, sources)).toEqual([
    'one',
    'created',
    'updated',
    'two',
  ])
})
