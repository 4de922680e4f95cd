import { expect, test } from 'vitest'
import { operationsAt } from '../../engine/run/contract.ts'
import { operations } from '../../helpers/contract/operations.ts'
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
  expect(operationsAt(more, { method: 'GET', path: '/tasks/1/notes' })).toEqual(['notes.read'])
})
