import { expect, test } from 'vitest'
import type { Law } from '../../../engine/clause/law.ts'
import { memberFinding } from '../../../engine/findings/member.ts'
import { NotDecidable } from '../../../engine/outcome.ts'
import { problem } from '../../../engine/problem.ts'
import { chance, clock } from '../../../engine/time/timers.ts'
import { type Call, impurityOf, lossOf, watch } from './pure.ts'

type Case = {
  exchange: number
  values: number[]
  of: { name: string }
  rows: Map<string, number>
  at: Date
}
const resource = { resource: 'task', id: '1' }
const caseOf = (): Case => ({
  exchange: 1,
  values: [3, 1, 2],
  of: { name: 'a' },
  rows: new Map([['a', 1]]),
  at: new Date(0),
})
const wrong = (wanted: unknown) => [
  problem(memberFinding(resource, { member: 'a', wanted: { kind: 'value', value: wanted } }), {
    judged: 1,
  }),
]

/** What a run of a clause with this law finds. */
function found(law: (one: Case) => unknown, cases = [caseOf()]): string[] {
  const calls: Call[] = []
  const facts = { id: 'a', level: 'must', statement: 's', section: 'Task' } as const
  const judging = { law: law as Law<Case>, of: 'values' }
  const endWatching = watch({ facts, judging, givens: [] }, calls)
  for (const each of cases)
    try {
      judging.law(each)
    } catch {}
  endWatching()
  expect(judging.law).toBe(law)
  expect(calls).toHaveLength(cases.length)
  return calls.flatMap(impurityOf)
}

const seen: unknown[] = []

test.each<[string, (one: Case) => unknown]>([
  ['sorts a list of its case', ({ values }) => values.sort() && []],
  ['adds to its case', ({ values }) => values.push(1) && []],
  ['renames a part of its case', ({ of }) => Object.assign(of, { name: 'b' }) && []],
  ['writes into a map', ({ rows }) => rows.set('b', 2) && []],
  ['counts how often it is called', (one) => wrong(seen.push(one))],
  ['condemns the first time alone', (one) => (seen.push(one) === 1 ? wrong(1) : [])],
  ['forgives the first time alone', (one) => (seen.push(one) === 2 ? [] : wrong(1))],
  ['reads the clock of the run', () => (clock.date() > 0 ? [] : wrong(1))],
  ['reads Date.now', () => (Date.now() > 0 ? [] : wrong(1))],
  ['makes a date of now', ({ at }) => (new Date() > at ? [] : wrong(1))],
  ['measures itself', () => (performance.now() > 0 ? [] : wrong(1))],
  ['draws by chance of the run', () => (chance.below(2) < 3 ? [] : wrong(1))],
  ['draws by Math.random', () => (Math.random() < 1 ? [] : wrong(1))],
  ['sets a timer', () => setTimeout(() => {}, 0) && []],
  ['asks the service', () => [fetch('http://127.0.0.1:9').catch(() => {})].slice(1)],
  ['promises', async () => []],
])('a law that %s is found', (_, law) => {
  seen.length = 0
  expect(found(law)).toHaveLength(1)
  expect([clock.date, Date.now, Math.random].every((each) => each() >= 0)).toBe(true)
})

test('a law of values is pure: with problems, with none, undecided, and with a copy of a list', () => {
  const laws: ((one: Case) => unknown)[] = [
    () => [],
    ({ at }) => wrong(at.toISOString()),
    ({ values }) => wrong([...values].sort()),
    ({ at }) => (at instanceof Date && new Date('2026-01-01') > at ? [] : wrong(1)),
    ({ rows }) => {
      throw new NotDecidable('data', `there is ${rows.size}`)
    },
  ]
  for (const law of laws) expect(found(law, [caseOf(), caseOf()])).toEqual([])
})

test('a case loses in a copy what is not plain data', () => {
  const law = ({ value }: { value: unknown }) => (value instanceof Date ? ['a date'] : [])
  const call = (value: unknown): Call => ({
    name: 'a (law)',
    judge: law as Call['judge'],
    given: { value },
    said: JSON.stringify(law({ value })),
  })
  expect(lossOf(call('2025-01-01'))).toEqual([])
  expect(lossOf(call(new Date(0)))).toEqual(['a (law) said ["a date"], and of a copy in JSON []'])
  expect(lossOf(call(() => {}))[0]).toMatch(/^a \(law\) said \[\], and of a clone DataCloneError/)
})
