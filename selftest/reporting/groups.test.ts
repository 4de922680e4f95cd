import { expect, test } from 'vitest'
import type { ClauseReport, Report } from '../../engine/run/report.ts'
import { groupsOf } from '../../reporting/parts/groups.ts'
import { breach, clause, exchange, type Given, reportWith } from './sample-reports.ts'

const titlesOf = (clauses: ClauseReport[]) =>
  groupsOf(reportWith(clauses) as Report).map(({ title }) => title)

const failed = (id: string, status: number, found: object, given: Given = {}) => {
  const at = given.durationMs ?? 0
  const path = '/tasks/1d88d0e0-b9a5-448e-a9a7-fb5a8e4136d4/update-assignment'
  const judged = exchange(at, { method: 'PUT', path, status })
  const breaches = [{ ...breach('it was wrong', at + 1), got: String(status), ...found }]
  return clause(id, { verdict: 'fail', breaches, evidence: [judged], ...given })
}

test('a title says in the words of the statement what does not hold', () => {
  const titleOf = (statement: string, expected: string, got = '412') =>
    titlesOf([failed('a', Number(got), { expected, got }, { statement })])[0]
  expect(titleOf('respond 409 to If-Match: *', '409')).toBe('Responds 412, not 409, to If-Match: *')
  expect(titleOf('respond 400 when range_end is past', '400')).toBe(
    'Responds 412, not 400, when range_end is past',
  )
  expect(titleOf('accept an update with a comment', '2xx')).toBe(
    'Does not accept an update with a comment: 412',
  )
  expect(titleOf('return no events for a value of tag', 'none', '3 events')).toBe(
    'Returns events for a value of tag',
  )
  expect(titleOf('leave it unchanged after a rejection', 'unchanged', 'changed')).toBe(
    'Changes it after a rejection',
  )
})

test('clauses are grouped by what their breaches share, the gravest and largest first', () => {
  const at = (durationMs: number) => ({ durationMs })
  const stale = [1, 2, 3].map((n) => failed(`version.${n}`, 412, { expected: '409' }, at(n)))
  const keys = [4, 5].map((n) => failed(`auth.${n}`, 200, { expected: '401' }, at(n)))
  const id = (n: number) => `84d6eb72-f236-462b-83ac-39ba94bf6c0${n}`
  const teams = [6, 7].map((n) =>
    failed(`assign.${n}`, 200, { expected: `TEAM ${id(n)}`, got: `USER ${id(n)}` }, at(n)),
  )
  expect(titlesOf([...teams, ...stale, ...keys])).toEqual([
    'Responds 200, not 401, to a request without a valid key',
    'Responds 412, not 409, to a wrong or stale If-Match',
    'Does not what assign.6 states: USER 84d6eb72…, not TEAM 84d6eb72…',
  ])
})
