import { expect, test } from 'vitest'
import { causesOf } from '../../reporting/parts/causes.ts'
import { breach, clause, reportWith } from './sample-reports.ts'

test('a heading says what does not hold, also of a clause that begins with "not"', () => {
  const long = { ...breach('other tasks changed'), expected: 'x'.repeat(101) }
  const headingOf = (statement: string) => {
    const broken = clause('a', { statement, verdict: 'fail', breaches: [long] })
    return causesOf(reportWith([broken])).map(({ heading }) => heading)
  }
  expect(headingOf('give the whole file')).toEqual([
    '1 clause: Retrieve a task: not give the whole file',
  ])
  expect(headingOf('not change other tasks')).toEqual([
    '1 clause: Retrieve a task: does change other tasks',
  ])
})
