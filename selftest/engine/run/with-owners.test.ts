import { describe, expect, test } from 'vitest'
import type { Selection } from '../../../engine/clause/selection.ts'
import { runWithOwners } from '../../../engine/run/graph.ts'
import type { Clauses } from '../../../engine/run/run-clauses.ts'
import { breach } from '../../reporting/sample-reports.ts'

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
