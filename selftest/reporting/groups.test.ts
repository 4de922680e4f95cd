import { expect, test } from 'vitest'
import { groupsOf } from '../../reporting/parts/groups.ts'
import { breach, clause, reportWith } from './sample-reports.ts'

test('a heading says what does not hold, also of a clause that begins with "not"', () => {
  const long = { ...breach('other tasks changed'), expected: 'x'.repeat(101) }
  const headingOf = (statement: string) => {
    const broken = clause('a', { statement, verdict: 'fail', breaches: [long] })
    return groupsOf(reportWith([broken])).map(({ title }) => title)
  }
  expect(headingOf('give the whole file')).toEqual(['Retrieve a task: not give the whole file'])
  expect(headingOf('not change other tasks')).toEqual(['Retrieve a task: does change other tasks'])
})
