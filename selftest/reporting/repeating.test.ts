import { expect, test } from 'vitest'
import { repeatingOf } from '../../reporting/parts/repeating.ts'
import { breach, clause, reportWith } from './sample-reports.ts'

test('a run to repeat a breach names the clause that asked for what was judged', () => {
  const own = clause('a', { verdict: 'fail', breaches: [breach('x', 1)] })
  const met = clause('b', { verdict: 'fail', breaches: [{ ...breach('x', 1), metBy: ['c'] }] })
  const report = reportWith([own, met])
  expect(repeatingOf(own, report).run).toMatch(/--clauses a --seed 77$/)
  expect(repeatingOf(met, report).run).toMatch(/--clauses b,c --seed 77$/)
})
