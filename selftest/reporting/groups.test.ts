import { expect, test } from 'vitest'
import { groupsOf } from '../../reporting/parts/groups.ts'
import { breach, clause, reportWith } from './sample-reports.ts'

test('a heading of long values says what was due', () => {
  const long = { ...breach('other tasks changed'), expected: 'x'.repeat(101) }
  const headingOf = (statement: string) => {
    const broken = clause('a', { statement, verdict: 'fail', breaches: [long] })
    return groupsOf(reportWith([broken])).map(({ title }) => title)
  }
  expect(headingOf('give the file')).toEqual(['Retrieve a task: must give the file'])
})
