import { describe, expect, test } from 'vitest'
import { codeOf, isPlain, nameMatch, valuesIn } from '../../../helpers/export/learn/cells.ts'

const id = '9fd379d2-0179-495f-a968-ba415a3c14c3'

describe('the values that a cell shows', () => {
  // biome-ignore format: several on a line
  test.each([
    `{"task_id":"${id}","tag":"vip"}`, `{"metadata":{"taskId":"${id}"}}`,
    `{"task_id":["${id}"]}`, `[{"key":"task_id","value":"${id}"}]`, `task_id=${id}; tag=vip`,
    `tag=vip,task_id=${id}`, `tag=vip task_id=${id} step=Risk rating`, `Task ID: ${id}`,
    `tag: vip | task-id: "${id}"`, `taskId=${id}\ntag=vip`, `"task_id"=>"${id}", "tag"=>"vip"`,
    `Task id ${id}`, `task_id={${id}}`,
  ])('inside %j', (cell) => {
    expect(valuesIn(cell, 'task_id', 'inside')).toEqual([id])
  })

  test('are found inside key=value text, even with spaces', () => {
    const cell = `workflow_step=Document collection, tag=vip`
    expect(valuesIn(cell, 'workflow_step', 'inside')).toEqual(['Document collection'])
    expect(valuesIn('workflow_step=Risk rating tag=vip', 'workflow_step', 'inside')).toEqual([
      'Risk rating',
    ])
  })

  test.each([
    ['tag=R&D; task_id=1', 'R&D'],
    ['tag=a&b=c', 'a&b=c'],
    ['task_id=1 | tag=a&b=c | workflow_step=intake', 'a&b=c'],
    ["tag=O'Neil, task_id=1", "O'Neil"],
    [`tag="O'Neil"; task_id=1`, "O'Neil"],
    [`"task_id"=>"1", "tag"=>"R&D"`, 'R&D'],
    [`tag='high risk' task_id='1'`, 'high risk'],
  ])('inside key=value text, with signs in it: %j', (cell, value) => {
    expect(valuesIn(cell, 'tag', 'inside')).toEqual([value])
  })

  test.each([
    ['task_id=1 | tag=Ausweis, neu | workflow_step=intake', 'Ausweis, neu', 'Ausweis', 'neu'],
    ['task_id: 1; tag: Ausweis, neu', 'Ausweis, neu', 'Ausweis', 'neu'],
    ['tag=a,b; task_id=1', 'a,b', 'a', 'b'],
    ['tag=one; two; three, task_id=1', 'one; two; three', 'one', 'two', 'three'],
  ])('inside key=value text, a list or one value with a comma: %j', (cell, ...values) => {
    expect(valuesIn(cell, 'tag', 'inside')).toEqual(values)
  })

  test.each([
    ['Tag: intake, Workflow Step: review', 'intake'],
    ['tag=intake, workflow step: review', 'intake'],
    [`tag=intake, Task ID: ${id}`, 'intake'],
    [`tag=intake, task ${id}`, 'intake'],
    ['tag=intake, {task_id=3}', 'intake'],
    ['{tag=intake}, by Jane', 'intake'],
    ['tag=intake, "workflow step": "review"', 'intake'],
  ])('inside key=value text, beside a key in words or an id: %j', (cell, value) => {
    expect(valuesIn(cell, 'tag', 'inside')).toEqual([value])
  })

  // biome-ignore format: several on a line
  test.each([
    'tag=\\N; task_id=1', 'tag: null, Workflow Step: review', 'tag=-; by Jane',
    'tag=null,task_id=1', '{"tag":"n/a"}', '"tag"=>"-"', 'tag=vip&task_id=1',
  ])('none inside %j', (cell) => {
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
