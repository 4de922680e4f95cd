import { expect, test } from 'vitest'
import { operationsAt } from '../../engine/run/contract.ts'
import {
  idSettingsOf,
  operationNames,
  operations,
  resources,
  rowOf,
} from '../../helpers/contract/operations.ts'
import { table } from '../../helpers/settings/table.ts'
import { codeOf, tree } from './tree.ts'

const segments = Object.values(operations).flatMap(({ path }) => path.split('/'))
const words = [...new Set(segments)].filter((segment) => /^[\w-]+$/.test(segment))
const wordOfPath = new RegExp(`/(?:${words.join('|')})(?![\\w-])`)

test('no code looks for a word of a path', () => {
  const places = tree
    .filter((file) => /^(engine|helpers|suites|program|reporting)\/.*\.(ts|js|sh)$/.test(file))
    .filter((file) => !file.startsWith('helpers/contract/'))
    .flatMap((file) =>
      codeOf(file)
        .split('\n')
        .flatMap((line, at) => (wordOfPath.test(line) ? `${file}:${at + 1} ${line.trim()}` : [])),
    )
  expect(places, 'use operationsAt, or a row of helpers/contract/operations.ts').toEqual([])
})

test.each([
  ['GET', '/tasks/1', ['task.read']],
  ['GET', '/tasks/1/', ['task.read']],
  ['GET', '/v6/tasks/1?a=b', ['task.read']],
  ['PUT', '/tasks/1/update-assignment', ['assign.update', 'assign.unassign']],
  ['PUT', '/tasks/1/update-assignment/', ['assign.update', 'assign.unassign']],
  ['GET', '/audit-sentinel/events/export?file_type=pdf', ['export']],
  ['GET', '/nothing', []],
])('%s %s asks for %j', (method, path, wanted) => {
  expect(operationsAt(operations, { method, path })).toEqual(wanted)
})

test('a longer path is of its own operation', () => {
  const notes = { title: 'Read notes', method: 'GET', path: '/tasks/{task_id}/notes' }
  const more = { ...operations, 'notes.read': notes }
  const asked = (path: string) => operationsAt(more, { method: 'GET', path })
  expect(asked('/tasks/1/notes')).toEqual(['notes.read'])
  expect(asked('/tasks/1/notes/')).toEqual(['notes.read'])
  expect(asked('/tasks/1/')).toEqual(['task.read'])
})

test('the settings that an operation needs are settings', () => {
  const needed = operationNames.flatMap((operation) => rowOf(operation).needs.flat())
  const unknown = needed.filter((name) => !(name in table))
  expect(unknown, 'add them to helpers/settings/table.ts').toEqual([])
})

test('a read of a resource has a setting that names its ids', () => {
  const lost = resources.filter((resource) => idSettingsOf(resource).length === 0)
  expect(lost, 'name it in `needs` of its row in helpers/contract/operations.ts').toEqual([])
})
