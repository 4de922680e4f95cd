import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { root } from '../kept.ts'
import { sampleOf } from '../sample.ts'
import { runMutant } from './one.ts'
import { operators } from './operators.ts'
import { type Baseline, baselineOf, judge, type Rank, ranks } from './outcome.ts'
import { gapsIn, recordedIn, unknownArguments } from './write.ts'

const size = Number(process.env.MUTANTS ?? 3)
const seed = 13

const page = join(root, 'selftest/mutants.md')
const recorded = existsSync(page) ? recordedIn(readFileSync(page, 'utf8')) : new Map<string, Rank>()

test('has one name for each mutant', () => {
  const ids = operators.map(({ id }) => id)
  expect(ids.filter((id, n) => ids.indexOf(id) !== n)).toEqual([])
})

test('argues for mutants that exist', () => {
  expect(unknownArguments(operators)).toEqual([])
})

describe('a sample of the mutants', () => {
  let baseline: Baseline
  beforeAll(async () => {
    baseline = baselineOf((await runMutant()).sight)
  })

  test.each(sampleOf(operators, size, seed))('$id: as recorded or better', async (mutant) => {
    const { sight, applied } = await runMutant(mutant)
    const { rank } = judge(sight, applied, baseline)
    const least = recorded.get(mutant.id) ?? 'survived'
    expect(ranks.slice(0, ranks.indexOf(least) + 1)).toContain(rank)
  })
})

test('leaves no recorded survivor without an argument', () => {
  const outcomes = [...recorded].map(([id, rank]) => ({ id, rank }))
  expect(gapsIn(outcomes).map(({ id }) => id)).toEqual([])
})
