import { expect, test } from 'vitest'
import { flipsIn, type Sight, sightOf } from './flips.ts'

type Clause = { verdict: string; cause?: string; observed?: unknown; varies?: string }

/** A run with this result of one clause. */
const run = (clause: Clause, schedule: number, twofold?: true): Sight =>
  sightOf(
    { exitCode: 0, report: { clauses: [{ id: 'a.b', ...clause }] } } as never,
    schedule,
    twofold ? { twofold } : {},
  )
const [pass, fail, inconclusive] = ['pass', 'fail', 'inconclusive'].map((verdict) => ({
  verdict,
})) as [Clause, Clause, Clause]
const skip = (cause: string): Clause => ({ verdict: 'skip', cause })
const observed = (value: unknown): Clause => ({ verdict: 'observed', observed: value })
const varying = (value: unknown): Clause => ({ ...observed(value), varies: 'x' })
const inOrder = observed({ a: 1, b: 2 })

test.each<[string, Clause[], number]>([
  ['the same verdict', [pass, pass, pass], 0],
  ['another verdict', [pass, fail, pass], 1],
  ['another cause', [skip('data'), skip('freedom')], 1],
  ['another observed value', [observed(404), observed(400)], 1],
  ['members of an observed value in another order', [inOrder, observed({ b: 2, a: 1 })], 0],
  ['an observed value that varies with the data', [varying(1), varying(2)], 0],
  ['inconclusive between equal verdicts', [pass, inconclusive, pass], 0],
  ['inconclusive between different ones', [pass, inconclusive, skip('data')], 1],
])('runs with %s: $2 flips', (_, said, flips) => {
  expect(flipsIn(said.map((each, at) => run(each, at))).length).toBe(flips)
})

test('for a service with two versions, only verdicts are compared', () => {
  const sights = [run(observed(1), 1, true), run(observed(2), 2, true)]
  expect(flipsIn(sights)).toEqual([])
  const both: [string, number[]][] = [
    ['observed', [1, 2]],
    ['pass', [3]],
  ]
  expect(flipsIn([...sights, run(pass, 3)])).toEqual([{ id: 'a.b', said: both }])
})
