import { describe, expect, test } from 'vitest'
import type { Selection } from '../../../engine/clause/selection.ts'
import { metOfOthers, runWithOwners, settleReferences, withMet } from '../../../engine/run/graph.ts'
import type { ClauseReport, Met, MetHere } from '../../../engine/run/report.ts'
import type { Clauses, Judged } from '../../../engine/run/run-clauses.ts'
import { causes, type Outcome } from '../../../engine/verdict.ts'
import { breach, clause } from '../../reporting/sample-reports.ts'

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

describe('owners that were not selected', () => {
  test('run too, in the order of the suites', async () => {
    const { run } = suite({ refers: { c: ['b', 'a'], e: ['a'] }, meets: { c: ['d', 'b', 'e'] } })
    const found = await runWithOwners(run, selection('c', 'e'), never)
    expect(idsOf(found)).toEqual(['a', 'b', 'c', 'd', 'e'])
    expect(found.owners).toEqual(['b', 'a', 'd'])
    expect(found.met.map(({ owner }) => owner)).toEqual(['d', 'b', 'e'])
  })

  test('run in rounds, as owners may refer to owners, up to four', async () => {
    const refers = { a: ['b'], b: ['c'], c: ['d'], d: ['e'], e: ['f'] }
    const { run, chosen } = suite({ refers })
    const found = await runWithOwners(run, selection('a'), never)
    expect(chosen).toEqual([undefined, ['b'], ['c'], ['d'], ['e']])
    expect(idsOf(found)).toEqual(['a', 'b', 'c', 'd', 'e'])
  })

  test('do not run if they ran already, do not exist, or the run was ended', async () => {
    for (const refers of [
      { a: ['b'], b: ['a'] },
      { a: ['none'], b: [] },
    ]) {
      const { run, chosen } = suite({ refers })
      await runWithOwners(run, selection('a', 'b'), never)
      expect(chosen).toHaveLength(1)
    }
    const { run, chosen } = suite({ refers: { a: ['b'] } })
    await runWithOwners(run, selection('a'), AbortSignal.abort('over'))
    expect(chosen).toHaveLength(1)
  })

  test('do not lose earlier results if they cannot run', async () => {
    const { run } = suite({ refers: { a: ['b'] } })
    const failing: Parameters<typeof runWithOwners>[0] = (each, before) =>
      before ? Promise.reject(new Error('no thread')) : run(each)
    const found = await runWithOwners(failing, selection('a'), never)
    expect([idsOf(found), found.errors, found.met]).toEqual([['a'], ['no thread'], []])
  })
})
