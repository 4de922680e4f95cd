import { expect, test } from 'vitest'
import { junitOf } from '../../reporting/junit.ts'
import { decisive } from '../../reporting/parts/decisive.ts'
import { clause, exchange, htmlOf, reportWith } from './sample-reports.ts'

const events = '/audit-sentinel/events/export'
const window = 'range_start=2025-01-01T00%3A00%3A00Z&range_end=2025-02-01T00%3A00%3A00Z'
const put = { method: 'PUT', path: '/tasks/1/update-assignment' }

/** In the order in which they were asked. */
const evidence = [
  { path: '/tasks/1' },
  { path: '/tasks/12', status: 404 },
  { ...put, status: 409 },
  { ...put, status: 200 },
  { path: '/tasks/1' },
  { path: `${events}?${window}&file_type=csv&timezone=Europe%2FBerlin` },
  { path: `${events}?metadata[tag]=vip&metadata[workflow_step]=Final+check&${window}` },
  { path: `${events}?metadata[tag]=vip&${window}&file_type=csv` },
  { path: `${events}?${window}&file_type=csv` },
].map((given, at) => exchange(at, given))

test.each<[string, string, number]>([
  ['what it tells outright', 'GET /tasks/12 answered 404, not 200', 1],
  ['no other whose address begins alike', 'GET /tasks/1 answered 200, not 404', 4],
  ['the answer that it tells', 'PUT /tasks/1/update-assignment answered 409, not 200', 2],
  ['the last of what went without an answer', 'PUT /tasks/1/update-assignment: reset', 3],
  ['the task of its first line', 'task 12: name is missing\ntask 1: name is missing', 1],
  ['the task, though a later line has a request', 'task 12: none\nGET /tasks/1 answered 200', 1],
  ['what a later line names', 'nothing came back\nGET /tasks/12 answered 404', 1],
  ['the filter', 'metadata[tag]=vip: 1 of 36 events are missing', 7],
  ['both filters', 'metadata[tag]=vip and metadata[workflow_step]=Final check: 1 is missing', 6],
  ['the time zone', 'in Europe/Berlin a time is shown as 2025-01-09T21:23:50', 5],
  ['the status alone', 'a loser was answered 409, not 400', 2],
  ['nothing in particular: the last', 'the answers differ', 8],
])('a verdict rests on %s', (_, reason, at) => {
  expect(evidence.indexOf(decisive(clause('a', { reason, evidence })) as never)).toBe(at)
})

test('a verdict without evidence, or without a reason, rests on what there is', () => {
  expect(decisive(clause('a', { reason: 'task 1: x' }))).toBeUndefined()
  expect(decisive(clause('a', { evidence }))).toBe(evidence.at(-1))
})

test('what it rests on is among the few exchanges that junit.xml shows', () => {
  const reason = 'task 12: name is missing'
  const text = junitOf(reportWith([clause('a', { verdict: 'fail', reason, evidence })]))
  expect(text).toMatch(/GET \/tasks\/12 → 404 in \d+ ms\n… 3 more before these\n/)
  expect(text).toMatch(/curl .*\/tasks\/12' /)
})

test('what it rests on stands open in index.html, though the beginning of a long list is folded', () => {
  const many = Array.from({ length: 40 }, (_, at) => exchange(at, { path: `/tasks/${at}` }))
  const pageOf = (reason: string) =>
    htmlOf(reportWith([clause('a', { verdict: 'fail', reason, evidence: many })]))
  const line = '<span class="of">#4</span> <span class="asked">GET /tasks/3</span>'
  expect(pageOf('task 3: x').split(line)).toHaveLength(3)
  expect(pageOf('something else').split(line)).toHaveLength(2)
})
