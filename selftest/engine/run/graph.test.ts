import { expect, test } from 'vitest'
import type { Selection } from '../../../engine/clause/selection.ts'
import { metOfOthers, runWithOwners, settleReferences, withMet } from '../../../engine/run/graph.ts'
import type { ClauseReport, MetHere } from '../../../engine/run/report.ts'
import type { Clauses, Judged } from '../../../engine/run/run-clauses.ts'
import { causes, type Outcome, type Verdict } from '../../../engine/verdict.ts'
import { breach, clause } from '../../reporting/sample-reports.ts'

const skip = (id: string, given: Partial<ClauseReport>) =>
  clause(id, { verdict: 'skip', reason: `${id} lacks something`, ...given })
const refers = (id: string, owners: string[], given: Partial<ClauseReport> = {}) =>
  skip(id, { cause: 'clause', owners, ...given })

const ended = (id: string, verdict: Verdict, given: Partial<ClauseReport> = {}) =>
  clause(id, { verdict, reason: 'r', ...given })
const observed = (id: string) => ended(id, 'observed', { level: 'observe', observed: 1 })
const should = { level: 'should' } as const
const passed = (id: string) => `${id}, which owns the missing fact, passed`
const { cause: _, ...old } = skip('b', {})

const settled = { cause: 'clause', reason: 'a lacks something', dangling: undefined }
const dangling = (why: string) => ({ cause: 'clause', dangling: why })

// biome-ignore format: one case a line
test.each<[string, ClauseReport[], object]>([
  ['failed', [refers('a', ['b']), ended('b', 'fail')], settled],
  ['warned, as a should', [refers('a', ['b']), ended('b', 'warn', should)], settled],
  ['skipped without a cause, in an old report', [refers('a', ['b']), old], settled],
  ...causes.filter((cause) => cause !== 'clause').map((cause): [string, ClauseReport[], object] => [
    `skipped for want of ${cause}, which is handed on`,
    [refers('a', ['b']), skip('b', { cause, declare: ['x'] })],
    { cause, declare: ['x'], reason: 'a lacks something (b lacks something)', dangling: undefined },
  ]),
  ['referring to one that is skipped', [refers('a', ['b']), refers('b', ['c']), skip('c', { cause: 'data', reason: 'no event' })], { cause: 'data', reason: 'a lacks something (no event)' }],
  ['referring to one that passed', [refers('a', ['b']), refers('b', ['c']), clause('c')], dangling(passed('c'))],
  ['passed', [refers('a', ['b']), clause('b')], dangling(passed('b'))],
  ['observed', [refers('a', ['b']), observed('b')], dangling('it refers to b, which is not a must')],
  ['observed, for a should', [refers('a', ['b'], should), observed('b')], dangling(passed('b'))],
  ['passed, as a should', [refers('a', ['b']), clause('b', should)], dangling('it refers to b, which is not a must')],
  ['absent', [refers('a', ['b'])], dangling('b, which owns the missing fact, did not run')],
  ['leading back', [refers('a', ['b']), refers('b', ['a'])], dangling('a refers to b refers to a: a circle')],
  ['not named', [skip('a', { cause: 'clause' })], dangling('it names no clause that owns the missing fact')],
  ['several, one of them failed', [refers('a', ['p', 's', 'f']), clause('p'), skip('s', { cause: 'freedom' }), ended('f', 'fail')], settled],
  ['several, one of them skipped', [refers('a', ['p', 's']), clause('p'), skip('s', { cause: 'freedom' })], { cause: 'freedom', dangling: undefined }],
  ['several, none of them decided', [refers('a', ['p', 'none']), clause('p')], dangling(passed('p'))],
  ['several, one referring to one that passed', [refers('a', ['r', 'f']), clause('p'), refers('r', ['p']), ended('f', 'fail')], settled],
])('a clause refers to an owner that is %s', (_, clauses, expected) => {
  const { cause, reason, dangling, declare } = settleReferences(clauses).find(({ id }) => id === 'a') ?? {}
  expect({ cause, reason, dangling, declare }).toMatchObject(expected)
})

const met = (owner: string, at: number): MetHere => ({
  owner,
  exchanges: [],
  ...breach(`GET /tasks/${at} responded 200: status is missing`, at),
})

const judged = (id: string, numbers: number[] = []) =>
  ({
    facts: { id },
    outcome: { kind: 'held' },
    evidence: numbers.map((number) => ({ number })),
  }) as unknown as Judged

const breachesOf = (all: Judged[], found: MetHere[]) => {
  const [own] = withMet(all, found)
  return own?.outcome.kind === 'broken' ? own.outcome : undefined
}

test('breaches that other clauses met fail their owner, each once', () => {
  const many = [1, 1, 2, 3, 4, 5, 6, 7].map((at) => met('a', at))
  const handed = breachesOf([judged('a')], [...many, met('b', 9)])
  expect(handed?.breaches.map(({ judged }) => judged)).toEqual(
    [1, 2, 3, 4, 5, 6, 7].map((at) => [at]),
  )
  expect(breachesOf([judged('c')], many)).toBeUndefined()
  const own: Outcome = { kind: 'broken', breaches: [] }
  expect(breachesOf([{ ...judged('a'), outcome: own }], many)).toEqual(own)
})

test('breaches that other clauses met are listed apart if their owner did not run, at most twenty of each', () => {
  const many = Array.from({ length: 50 }, (_, at) => met('a', at))
  const again = { ...met('c', 1), judged: [9] }
  const others = metOfOthers([...many, ...many, met('b', 1), met('c', 1), again], new Set(['b']))
  expect(others).toEqual([...many.slice(0, 20), met('c', 1)])
})

test('a breach names the clause that sent its request, if its owner did not', () => {
  const found = [{ ...met('a', 1), judged: [1] }]
  const breachOf = (all: Judged[]) => breachesOf(all, found)?.breaches[0]
  expect(breachOf([judged('a'), judged('b', [2]), judged('c', [1])])?.metBy).toEqual(['c'])
  expect(breachOf([judged('a', [1]), judged('c', [1])])).not.toHaveProperty('metBy')
})

const declared = ['a', 'b', 'c', 'd', 'e', 'f', 'g']

/** A suite in which each clause refers to these owners, or passes its breach to them. */
const suite = ({ refers = {}, meets = {} }: Record<string, Record<string, string[]>>) => {
  const chosen: (string[] | undefined)[] = []
  const run = async (selection: Selection): Promise<Clauses> => {
    const { clauses, only } = selection
    chosen.push(only)
    if (only) expect(selection).toEqual({ clauses: [], required: [], only })
    const ids = only ?? clauses
    return {
      judged: ids.map((id) => ({
        facts: { id, level: 'must', statement: '', section: '' },
        outcome: refers[id]
          ? { kind: 'undecided', reason: 'r', cause: 'clause', owners: refers[id] }
          : { kind: 'held' },
        evidence: [],
      })),
      errors: [],
      declared,
      met: ids.flatMap((id) =>
        (meets[id] ?? []).map((owner) => ({ owner, ...breach('s'), exchanges: [] })),
      ),
    }
  }
  return { chosen, run }
}

const selection = (...clauses: string[]): Selection => ({ clauses, required: [] })
const never = new AbortController().signal
const idsOf = ({ judged }: Clauses) => judged.map(({ facts }) => facts.id)

test('owners that were not selected run too, in the order of the suites', async () => {
  const { run } = suite({ refers: { c: ['b', 'a'], e: ['a'] }, meets: { c: ['d', 'b', 'e'] } })
  const found = await runWithOwners(run, selection('c', 'e'), never)
  expect(idsOf(found)).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(found.owners).toEqual(['b', 'a', 'd'])
  expect(found.met.map(({ owner }) => owner)).toEqual(['d', 'b', 'e'])
})

test('owners that were not selected run in rounds, as owners may refer to owners, up to four', async () => {
  const refers = { a: ['b'], b: ['c'], c: ['d'], d: ['e'], e: ['f'] }
  const { run, chosen } = suite({ refers })
  const found = await runWithOwners(run, selection('a'), never)
  expect(chosen).toEqual([undefined, ['b'], ['c'], ['d'], ['e']])
  expect(idsOf(found)).toEqual(['a', 'b', 'c', 'd', 'e'])
})

test.each<[string, Record<string, string[]>, string[], AbortSignal?]>([
  ['ran already', { a: ['b'], b: ['a'] }, ['a', 'b']],
  ['do not exist', { a: ['none'] }, ['a']],
  ['are of a run that was ended', { a: ['b'] }, ['a'], AbortSignal.abort('over')],
])('owners that %s do not run', async (_, refers, ids, signal = never) => {
  const { run, chosen } = suite({ refers })
  await runWithOwners(run, selection(...ids), signal)
  expect(chosen).toHaveLength(1)
})

test('owners that were not selected do not lose earlier results if they cannot run', async () => {
  const { run } = suite({ refers: { a: ['b'] } })
  const failing: Parameters<typeof runWithOwners>[0] = (each, before) =>
    before ? Promise.reject(new Error('no thread')) : run(each)
  const found = await runWithOwners(failing, selection('a'), never)
  expect([idsOf(found), found.errors, found.met]).toEqual([['a'], ['no thread'], []])
})
