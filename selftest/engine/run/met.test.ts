import { describe, expect, test } from 'vitest'
import { handedTo, metOfOthers, withHanded, withMet } from '../../../engine/run/met.ts'
import type { Met, MetHere } from '../../../engine/run/report.ts'
import type { Judged } from '../../../engine/run/run-clauses.ts'
import { breach, clause } from '../../reporting/sample-reports.ts'

const met = (owner: string, at: number): Met => ({
  owner,
  ...breach(`GET /tasks/${at} answered 200: status is missing`, at),
})

describe('breaches that a clause is handed', () => {
  test('are its reason, each once and of many the first five, and its breaches', () => {
    const many = [1, 1, 2, 3, 4, 5, 6, 7].map((at) => met('a', at))
    const handed = handedTo('a', [...many, met('b', 9)])
    expect(handed?.reason.split('\n')).toEqual([
      ...[1, 2, 3, 4, 5].map((at) => met('a', at).sentence),
      '… and 2 more',
    ])
    expect(handed?.breaches.map(({ judged }) => judged)).toEqual(
      [1, 2, 3, 4, 5, 6, 7].map((at) => [at]),
    )
    expect(handedTo('c', many)).toBeUndefined()
  })

  test('make a must fail and a should warn, or fail under --strict', () => {
    const skipped = clause('a', { verdict: 'skip', reason: 'r', owners: ['b'], dangling: 'd' })
    const [must] = withHanded([skipped], [met('a', 1)], false)
    expect(must).toEqual({
      ...clause('a'),
      verdict: 'fail',
      reason: met('a', 1).sentence,
      breaches: [breach(met('a', 1).sentence, 1)],
      evidence: [{ exchange: 1, role: 'judged' }],
    })
    const should = clause('a', { level: 'should' })
    const verdict = (strict: boolean) => withHanded([should], [met('a', 1)], strict)[0]?.verdict
    expect([verdict(false), verdict(true)]).toEqual(['warn', 'fail'])
  })

  test('change nothing of a clause that failed by itself, or that was handed none', () => {
    const clauses = [clause('a', { verdict: 'fail', reason: 'r' }), clause('b')]
    expect(withHanded(clauses, [met('a', 1), met('c', 1)], false)).toEqual(clauses)
  })

  test('leave nothing observed that a breach kept from being seen', () => {
    const seen = clause('a', { level: 'observe', verdict: 'observed', observed: 1 })
    const [{ verdict, cause, ...rest }] = withHanded([seen], [met('a', 1)], false) as [typeof seen]
    expect([verdict, cause]).toEqual(['skip', 'data'])
    expect(rest).not.toHaveProperty('observed')
  })

  test('travel where their clause did not run, twenty of each at most', () => {
    const many = Array.from({ length: 50 }, (_, at) => met('a', at))
    const others = metOfOthers([...many, ...many, met('b', 1), met('c', 1)], new Set(['b']))
    expect(others).toEqual([...many.slice(0, 20), met('c', 1)])
  })
})

test('a breach that another clause has asked for is met again with it', () => {
  const judged = (id: string, numbers: number[]) =>
    ({
      facts: { id },
      outcome: { kind: 'held' },
      evidence: numbers.map((number) => ({ number })),
    }) as unknown as Judged
  const met1 = { ...met('a', 1), judged: [1] } as unknown as MetHere
  const breachOf = (all: Judged[]) => {
    const [own] = withMet(all, [met1])
    return own?.outcome.kind === 'broken' ? own.outcome.breaches[0] : undefined
  }
  expect(breachOf([judged('a', []), judged('b', [2]), judged('c', [1])])?.metBy).toEqual(['c'])
  expect(breachOf([judged('a', [1]), judged('c', [1])])).not.toHaveProperty('metBy')
})
