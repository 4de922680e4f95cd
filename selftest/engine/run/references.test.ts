import { describe, expect, test } from 'vitest'
import { settleReferences } from '../../../engine/run/graph.ts'
import type { ClauseReport } from '../../../engine/run/report.ts'
import { causes } from '../../../engine/verdict.ts'
import { clause } from '../../reporting/sample-reports.ts'

const skip = (id: string, given: Partial<ClauseReport>) =>
  clause(id, { verdict: 'skip', reason: `${id} lacks something`, ...given })
const refers = (id: string, owners: string[], given: Partial<ClauseReport> = {}) =>
  skip(id, { cause: 'clause', owners, ...given })

const settled = (clauses: ClauseReport[]) => {
  const { cause, reason, dangling } = settleReferences(clauses).find(({ id }) => id === 'a') ?? {}
  return { cause, reason, dangling }
}

describe('a clause that refers to an owner', () => {
  test.each(['fail', 'warn', 'inconclusive'] as const)(
    'which ended as %s: it is settled',
    (verdict) => {
      const owner = clause('b', { verdict, reason: 'r' })
      expect(settled([refers('a', ['b']), owner])).toEqual({
        cause: 'clause',
        reason: 'a lacks something',
        dangling: undefined,
      })
    },
  )

  test.each(causes.filter((cause) => cause !== 'clause'))(
    'which was skipped for want of %s: its cause and reason are handed on',
    (cause) => {
      const [clause] = settleReferences([refers('a', ['b']), skip('b', { cause, declare: ['x'] })])
      const reason = 'a lacks something (b lacks something)'
      expect(clause).toMatchObject({ cause, reason, declare: ['x'] })
      expect(clause).not.toHaveProperty('dangling')
    },
  )

  test('which refers to a further one: the last of the chain decides', () => {
    const chain = [refers('a', ['b']), refers('b', ['c'])]
    const data = settled([...chain, skip('c', { cause: 'data', reason: 'no event' })])
    expect(data).toMatchObject({ cause: 'data', reason: 'a lacks something (no event)' })
    const failed = settled([...chain, clause('c', { verdict: 'fail', reason: 'r' })])
    expect(failed).toMatchObject({ cause: 'clause', dangling: undefined })
    expect(settled([...chain, clause('c')]).dangling).toBe('c, which owns the missing fact, passed')
  })

  // biome-ignore format: one case a line
  test.each<[string, ClauseReport[], string]>([
    ['which passed', [clause('b')], 'b, which owns the missing fact, passed'],
    ['which observed', [clause('b', { level: 'observe', verdict: 'observed', observed: 1 })], 'it refers to b, which is not a must'],
    ['which did not run', [], 'b, which owns the missing fact, did not run'],
    ['which leads back', [refers('b', ['a'])], 'a refers to b refers to a: a circle'],
    ['which is a should, though it is a must itself', [clause('b', { level: 'should', verdict: 'warn', reason: 'r' })], 'it refers to b, which is not a must'],
  ])('%s: it dangles', (_, owners, dangling) => {
    expect(settled([refers('a', ['b']), ...owners])).toMatchObject({ cause: 'clause', dangling })
  })

  test('may be a should and refer to one', () => {
    const owner = clause('b', { level: 'should', verdict: 'warn', reason: 'r' })
    const a = refers('a', ['b'], { level: 'should' })
    expect(settled([a, owner]).dangling).toBeUndefined()
    const observed = clause('b', { level: 'observe', verdict: 'observed', observed: 1 })
    expect(settled([a, observed]).dangling).toBe('b, which owns the missing fact, passed')
  })

  test('without an owner dangles', () => {
    expect(settled([skip('a', { cause: 'clause' })]).dangling).toBe(
      'it names no clause that owns the missing fact',
    )
  })
})

test.each([
  [['p', 's', 'f'], 'clause', undefined],
  [['p', 's'], 'freedom', undefined],
  [['p', 'none'], 'clause', 'p, which owns the missing fact, passed'],
  [['r', 'f'], 'clause', undefined],
])(
  'of the owners %j one that failed settles a reference, else one that was skipped hands its cause on',
  (owners, cause, dangling) => {
    const failed = clause('f', { verdict: 'fail', reason: 'r' })
    const others = [failed, skip('s', { cause: 'freedom' }), clause('p'), refers('r', ['p'])]
    expect(settled([refers('a', owners), ...others])).toMatchObject({ cause, dangling })
  },
)

test('a clause of a report without causes neither refers nor passes anything on', () => {
  const { cause: _, ...old } = skip('b', {})
  expect(settleReferences([old])).toEqual([old])
  expect(settled([refers('a', ['b']), old])).toMatchObject({
    cause: 'clause',
    reason: 'a lacks something',
    dangling: undefined,
  })
})
