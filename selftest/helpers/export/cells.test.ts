import { describe, expect, test } from 'vitest'
import { codeOf, isPlain, nameMatch, valuesIn } from '../../../helpers/export/learn/columns.ts'

const id = '9fd379d2-0179-495f-a968-ba415a3c14c3'

describe('the values that a cell shows', () => {
  // biome-ignore format: several on a line
  test.each([
    `{"task_id":"${id}","tag":"vip"}`, `{"metadata":{"taskId":"${id}"}}`,
    `{"task_id":["${id}"]}`, `[{"key":"task_id","value":"${id}"}]`, `task_id=${id}; tag=vip`,
    `tag=vip,task_id=${id}`, `Task ID: ${id}`, `tag: vip | task-id: "${id}"`,
    `taskId=${id}\ntag=vip`, `"task_id"=>"${id}", "tag"=>"vip"`, `{task_id=${id}, tag=}`,
    `{'tag': 'vip', 'task_id': '${id}'}`, `{:task_id=>"${id}"}`,
  ])('inside %j', (cell) => {
    expect(valuesIn(cell, 'task_id', 'inside')).toEqual([id])
  })

  test('are found inside pairs, even with spaces and of one name', () => {
    const cell = 'workflow_step=Document collection, tag=vip, tag: high risk'
    expect(valuesIn(cell, 'workflow_step', 'inside')).toEqual(['Document collection'])
    expect(valuesIn(cell, 'tag', 'inside')).toEqual(['vip', 'high risk'])
  })

  // biome-ignore format: several on a line
  test.each([
    'tag=\\N; task_id=1', 'tag: null, Workflow Step: review', '{"tag":"n/a"}', '"tag"=>"-"',
    'tag=vip&task_id=1', 'tag=Ausweis, neu', 'tag=a=b', 'tag=vip task_id=1', 'tag="a\'; task_id=1',
    'tag=intake, task 7', 'tag=vip, {task_id=3}', 'tagged by Jane',
  ])('none inside %j, where a value may end elsewhere', (cell) => {
    expect(valuesIn(cell, 'tag', 'inside')).toEqual([])
  })

  test('of a label that names several things', () => {
    expect(valuesIn('Task / Created', 'event_type', 'label')).toEqual([
      'task_created',
      'task',
      'created',
    ])
    expect(valuesIn('Re-assigned', 'sub_type', 'label')).toEqual(['re_assigned'])
  })

  test('nothing inside a cell that names another key', () => {
    expect(valuesIn('{"subtask_id":"1"}', 'task_id', 'inside')).toEqual([])
    expect(valuesIn('{"task_id":', 'task_id', 'inside')).toEqual([])
    expect(valuesIn(`task ${id}`, 'task_id', 'inside')).toEqual([])
  })

  test('plain: a comma may part values or belong to one', () => {
    expect(valuesIn('vip', 'tag', 'plain')).toEqual(['vip'])
    expect(valuesIn('watchlist, EU', 'tag', 'plain')).toEqual(['watchlist, EU', 'watchlist', 'EU'])
    expect(valuesIn('["vip","pep"]', 'tag', 'plain')).toEqual(['["vip","pep"]', 'vip', 'pep'])
  })

  test.each(['', '-', '–', '\\N', '#N/A', 'n/a', 'None', '(not set)', 'null'])(
    'none in %j',
    (cell) => {
      expect(valuesIn(cell, 'tag', 'plain')).toEqual([])
    },
  )

  // With quadratic time the test would time out.
  test('nothing inside a hostile cell of half a megabyte', { timeout: 60_000 }, () => {
    const cell = `task_id${' a:'.repeat(200_000)}`
    expect(valuesIn(cell, 'task_id', 'inside')).toEqual([])
  })
})

test('labels and their likely codes', () => {
  expect(codeOf('Task Platform')).toBe('task_platform')
  expect(codeOf('assessmentService')).toBe('assessment_service')
  expect(codeOf('Re-assigned')).toBe('re_assigned')
})

test('names of columns', () => {
  expect(nameMatch('Event Type', 'event_type')).toBe('so')
  expect(nameMatch('metadata[task_id]', 'task_id')).toBe('so')
  expect(nameMatch('taskId', 'task_id')).toBe('so')
  expect(nameMatch('Source', 'system_source')).toBe('alike')
  expect(nameMatch('Metadata', 'task_id')).toBeUndefined()
})

test('cells that cannot be requested as they are', () => {
  expect(['vip', "'=1", '-1', 'a,b', 'cut…'].filter(isPlain)).toEqual(['vip'])
})
