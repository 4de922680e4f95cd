import { describe, expect, test } from 'vitest'
import { describeReach, describeShortfall, problemsOfReach } from '../../../engine/run/reach.ts'
import type { ClauseReport } from '../../../engine/run/report.ts'
import { type Cause, undecidedAreas } from '../../../engine/verdict.ts'
import { clause } from '../../reporting/sample-reports.ts'

const skip = (id: string, cause: Cause, given: Partial<ClauseReport> = {}) =>
  clause(id, { verdict: 'skip', cause, reason: `why ${id}`, ...given })
const lost = (id: string) => clause(id, { verdict: 'inconclusive', reason: 'no answer' })

describe('how far a verdict reaches', () => {
  test('counts the musts that were decided, and the others by cause', () => {
    const clauses = [
      clause('a'),
      clause('b', { verdict: 'fail', reason: 'r' }),
      clause('c', { level: 'should' }),
      skip('d', 'setting'),
      skip('e', 'setting'),
      skip('f', 'freedom'),
      skip('g', 'data', { level: 'should' }),
    ]
    expect(describeReach(clauses)).toBe(
      '2 of 5 musts; 3 not checked (2 need a setting, 1 left open by the contract)',
    )
    expect(describeReach(clauses.slice(0, 3))).toBe('2 of 2 musts')
  })

  test('has words for each cause, for trouble, and for what has no cause', () => {
    const { cause: _, ...old } = skip('h', 'data')
    const each = [
      lost('z'),
      skip('a', 'setting'),
      skip('b', 'data'),
      skip('c', 'refused'),
      skip('d', 'clause'),
    ]
    expect(describeReach([...each, old])).toBe(
      '0 of 6 musts; 6 not checked (1 inconclusive, 1 needs a setting, 1 needs data, 1 was refused, ' +
        '1 waits for another clause, 1 skipped)',
    )
  })
})

const area = { name: 'export', clauses: ['export.*'] }

describe('an area of which more than a fifth of the musts lack a setting or data', () => {
  const passed = ['a', 'b', 'c', 'd'].map((id) => clause(`export.${id}`))
  const without = (id: string, reason: string) => skip(`export.${id}`, 'setting', { reason })

  test('is named with the reason that most of them share', () => {
    const short = [
      without('e', 'set X: to one value'),
      without('f', 'set Y: to another'),
      without('g', 'set X: to a third'),
    ]
    expect(describeShortfall([...passed, ...short], [area])).toBe(
      '3 of 7 musts of the area export were not checked; for 2 of them: set X',
    )
  })

  test('is not named for a fifth, for another cause, or where a declaration leaves them out', () => {
    const one = without('e', 'set X: to one value')
    expect(describeShortfall([...passed, one], [area])).toBeUndefined()
    const open = ['e', 'f'].map((id) => skip(`export.${id}`, 'freedom'))
    expect(describeShortfall([...passed, ...open], [area])).toBeUndefined()
    const declared = { ...area, declared: true as const }
    expect(describeShortfall([one], [declared])).toBeUndefined()
  })
})

describe('an area of which nothing was decided', () => {
  const of = (...clauses: ClauseReport[]) => undecidedAreas(clauses, [area]).length === 1

  test.each<[string, ClauseReport[], boolean]>([
    ['no clause of it was selected', [clause('task.a')], false],
    ['no must of it was selected', [skip('export.a', 'setting', { level: 'should' })], false],
    ['one must passed', [clause('export.a'), skip('export.b', 'refused')], false],
    [
      'one must failed',
      [clause('export.a', { verdict: 'fail' }), skip('export.b', 'setting')],
      false,
    ],
    ['every must needs a setting', [skip('export.a', 'setting')], true],
    ['every must was refused', [skip('export.a', 'refused')], true],
    ['every must waits for another', [skip('export.a', 'clause')], true],
    ['every must was lost', [lost('export.a')], true],
    ['every must needs data', [skip('export.a', 'data'), skip('export.b', 'data')], false],
    ['every must is free', [skip('export.a', 'freedom'), skip('export.b', 'data')], false],
    ['all but one are free', [skip('export.a', 'freedom'), skip('export.b', 'setting')], true],
    [
      'a should alone was decided',
      [skip('export.a', 'setting'), clause('export.b', { level: 'should' })],
      true,
    ],
  ])('%s', (_, clauses, expected) => {
    expect(of(...clauses)).toBe(expected)
  })
})

describe('what keeps a run without failures from being conformant', () => {
  test('an area that decided nothing is named, unless trouble says why', () => {
    expect(problemsOfReach([skip('export.a', 'setting')], [area])).toEqual([
      'nothing of the area export was decided, though its settings are given; correct them, or declare with NOT_PERMITTED what the key may not do',
    ])
    expect(problemsOfReach([skip('export.a', 'setting'), lost('export.b')], [area])).toEqual([])
  })

  test('musts that were refused, by reason, with the declaration to make', () => {
    const reason = 'PUT answered 403: correct USER_IDS\nmore'
    const refused = [
      skip('a', 'refused', { reason }),
      skip('b', 'refused', { reason }),
      skip('c', 'refused', { level: 'should' }),
    ]
    expect(problemsOfReach(refused, [])).toEqual([
      'a, b could not be checked: PUT answered 403: correct USER_IDS; if this key may not do it, set NOT_PERMITTED=a,b',
    ])
  })

  test('a reference that dangles, of a should too', () => {
    const dangling = 'b, which owns the missing fact, passed'
    const clauses = [clause('b'), skip('a', 'clause', { level: 'should', owners: ['b'], dangling })]
    expect(problemsOfReach(clauses, [])).toEqual([
      'a was not checked, and no other clause judged the fact: b, which owns the missing fact, passed',
    ])
  })

  test('nothing, where all was decided or is free', () => {
    expect(problemsOfReach([clause('a'), skip('b', 'freedom'), skip('c', 'setting')], [])).toEqual(
      [],
    )
  })
})
