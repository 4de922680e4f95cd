import { describe, expect, test } from 'vitest'
import { problemsOfReach } from '../../../engine/run/reach.ts'
import type { ClauseReport } from '../../../engine/run/report.ts'
import { type Cause, undecidedAreas } from '../../../engine/verdict.ts'
import { clause } from '../../reporting/sample-reports.ts'

const skip = (id: string, cause: Cause, given: Partial<ClauseReport> = {}) =>
  clause(id, { verdict: 'skip', cause, reason: `why ${id}`, ...given })
const lost = (id: string) => clause(id, { verdict: 'inconclusive', reason: 'no answer' })

const area = { name: 'export', clauses: ['export.*'] }

describe('an area is undecided', () => {
  // biome-ignore format: one case a line
  test.each<[string, ClauseReport[], boolean]>([
    ['no must of it was selected', [skip('export.a', 'setting', { level: 'should' })], false],
    ['one must passed', [clause('export.a'), skip('export.b', 'refused')], false],
    ['one must failed', [clause('export.a', { verdict: 'fail' }), skip('export.b', 'setting')], false],
    ['every must needs a setting', [skip('export.a', 'setting')], true],
    ['every must was refused', [skip('export.a', 'refused')], true],
    ['every must waits for another', [skip('export.a', 'clause')], true],
    ['every must was lost', [lost('export.a')], true],
    ['every must is free', [skip('export.a', 'freedom'), skip('export.b', 'data')], false],
    ['all but one are free', [skip('export.a', 'freedom'), skip('export.b', 'setting')], true],
    ['a should alone was decided', [skip('export.a', 'setting'), clause('export.b', { level: 'should' })], true],
  ])('if %s: $2', (_, clauses, expected) => {
    expect(undecidedAreas(clauses, [area])).toEqual(expected ? [area] : [])
  })
})

describe('what keeps a run without failures from being conformant', () => {
  test('an area that decided nothing is named, unless trouble says why', () => {
    expect(problemsOfReach([skip('export.a', 'setting')], [area])).toEqual([
      'no clause of the area export was decided, although its settings are given: the reasons of its clauses say why; set NOT_PERMITTED to what the key may not do',
    ])
    const [a, b] = [skip('export.a', 'setting'), lost('export.b')]
    expect(problemsOfReach([a, b], [area])).toEqual([])
    expect(problemsOfReach([a, { ...b, level: 'should' }], [area])).toHaveLength(1)
  })

  test('musts that were refused, by reason, with the declaration to make', () => {
    const reason = 'PUT responded 403: correct USER_IDS\nmore'
    const refused = [
      ...['a', 'b', 'c', 'd'].map((id) => skip(id, 'refused', { reason })),
      skip('e', 'refused', { level: 'should' }),
      ...['f', 'g', 'h'].map((id) => skip(id, 'refused', { declare: [], reason: 'r' })),
    ]
    expect(problemsOfReach(refused, [])).toEqual([
      'a, b, c and 1 more could not be checked: PUT responded 403: correct USER_IDS; if this key may not do it, set NOT_PERMITTED=a,b,c,d',
      'f, g, h could not be checked: r',
    ])
  })

  test('a reference that dangles, of a should too', () => {
    const dangling = 'b, which owns the missing fact, passed'
    const clauses = [clause('b'), skip('a', 'clause', { level: 'should', owners: ['b'], dangling })]
    expect(problemsOfReach(clauses, [])).toEqual([
      'a was not checked, and no other clause judged the fact: b, which owns the missing fact, passed',
    ])
  })
})
