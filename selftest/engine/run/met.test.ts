import { describe, expect, test } from 'vitest'
import { metOfOthers, withMet } from '../../../engine/run/graph.ts'
import type { Met, MetHere } from '../../../engine/run/report.ts'
import type { Judged } from '../../../engine/run/run-clauses.ts'
import type { Outcome } from '../../../engine/verdict.ts'
import { breach } from '../../reporting/sample-reports.ts'

const met = (owner: string, at: number): Met => ({
  owner,
  ...breach(`GET /tasks/${at} responded 200: status is missing`, at),
})

const judged = (id: string, numbers: number[] = []) =>
  ({
    facts: { id },
    outcome: { kind: 'held' },
    evidence: numbers.map((number) => ({ number })),
  }) as unknown as Judged

const breachesOf = (all: Judged[], found: Met[]) => {
  const [own] = withMet(all, found as MetHere[])
  return own?.outcome.kind === 'broken' ? own.outcome : undefined
}

describe('breaches that other clauses met', () => {
  test('fail their owner, each once; its reason names five of them', () => {
    const many = [1, 1, 2, 3, 4, 5, 6, 7].map((at) => met('a', at))
    const handed = breachesOf([judged('a')], [...many, met('b', 9)])
    expect(handed?.reason.split('\n')).toEqual([
      ...[1, 2, 3, 4, 5].map((at) => met('a', at).sentence),
      '… and 2 more',
    ])
    expect(handed?.breaches.map(({ judged }) => judged)).toEqual(
      [1, 2, 3, 4, 5, 6, 7].map((at) => [at]),
    )
    expect(breachesOf([judged('c')], many)).toBeUndefined()
    const own: Outcome = { kind: 'broken', reason: 'own', breaches: [] }
    expect(breachesOf([{ ...judged('a'), outcome: own }], many)).toEqual(own)
  })

  test('are listed apart if their owner did not run, at most twenty of each', () => {
    const many = Array.from({ length: 50 }, (_, at) => met('a', at))
    const again = { ...met('c', 1), judged: [9] }
    const others = metOfOthers([...many, ...many, met('b', 1), met('c', 1), again], new Set(['b']))
    expect(others).toEqual([...many.slice(0, 20), met('c', 1)])
  })
})

test('a breach names the clause that sent its request, if its owner did not', () => {
  const found = [{ ...met('a', 1), judged: [1] }]
  const breachOf = (all: Judged[]) => breachesOf(all, found)?.breaches[0]
  expect(breachOf([judged('a'), judged('b', [2]), judged('c', [1])])?.metBy).toEqual(['c'])
  expect(breachOf([judged('a', [1]), judged('c', [1])])).not.toHaveProperty('metBy')
})
