import { expect, test } from 'vitest'
import { flipsIn, unsettledShare } from './flips.ts'
import { pageOf } from './page.ts'
import type { Sight } from './sight.ts'

type Said = Omit<Sight['clauses'][number], 'id'>

/** A run that says this of one clause. */
const run = (manner: string, said: Said): Sight => ({
  commit: 'c',
  target: 't',
  manner,
  exitCode: 0,
  requests: 100,
  seconds: 10,
  reasons: [],
  clauses: [{ id: 'a.b', ...said }],
})
const pass: Said = { verdict: 'pass' }
const skip = (cause: 'data' | 'freedom'): Said => ({ verdict: 'skip', cause })
const observed = (value: unknown, varies?: string): Said => ({
  verdict: 'observed',
  observed: value,
  ...(varies && { varies }),
})
const inconclusive: Said = { verdict: 'inconclusive', reason: 'lost' }

test.each<[string, Said[], number]>([
  ['the same verdict', [pass, pass, pass], 0],
  ['another verdict', [pass, { verdict: 'fail' }, pass], 1],
  ['another cause', [skip('data'), skip('freedom')], 1],
  ['another observed value', [observed(404), observed(400)], 1],
  [
    'members of an observed value in another order',
    [observed({ a: 1, b: 2 }), observed({ b: 2, a: 1 })],
    0,
  ],
  ['an observed value that varies with the data', [observed(1, 'x'), observed(2, 'x')], 0],
  ['an inconclusive one', [pass, inconclusive, pass], 0],
  ['what an inconclusive one stands between', [pass, inconclusive, skip('data')], 1],
])('%s', (_, said, flips) => {
  expect(flipsIn(said.map((each, at) => run(`run ${at}`, each))).length).toBe(flips)
})

test('of a service with several ways verdicts alone are compared', () => {
  const sights = [run('seed 1', observed(1)), run('seed 2', observed(2))]
  expect(flipsIn(sights, 'verdicts')).toEqual([])
  expect(flipsIn([...sights, run('seed 3', pass)], 'verdicts').length).toBe(1)
})

test('what is inconclusive is unsettled, and named on the page', () => {
  const sights = [run('seed 1', pass), run('seed 2', inconclusive), run('seed 3', skip('data'))]
  expect(unsettledShare(sights)).toBeCloseTo(1 / 3)
  const page = pageOf([{ target: { name: 't' }, sights }], 'c')
  expect(page).toContain('| t | 3 | 1 | 33.33 % | 0 (3) | 100 to 100 | 10 to 10 |')
  expect(page).toContain('- `a.b` on t: pass (seed 1); skip, data (seed 3)')
  expect(page).toContain('- `a.b` on t (seed 2): lost')
})
