import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from '../kept.ts'
import { sampleOf } from '../sample.ts'
import { runMutant } from './one.ts'
import { operators } from './operators.ts'
import { gapsIn, recordedIn, unknownArguments } from './write.ts'

// A few tenths of a second each: only the first clause that noticed a mutant is asked again.
const size = Number(process.env.MUTANTS ?? 40)
const seed = 13

const page = join(root, 'selftest/mutants.md')
const recorded = existsSync(page) ? recordedIn(readFileSync(page, 'utf8')) : []
const noticed = recorded.filter(({ rank }) => rank === 'killed' || rank === 'warned')

test('has one name for each mutant', () => {
  const ids = operators.map(({ id }) => id)
  expect(ids.filter((id, n) => ids.indexOf(id) !== n)).toEqual([])
})

test('argues for mutants that exist', () => {
  expect(unknownArguments(operators)).toEqual([])
})

test('has an outcome of every mutant', () => {
  const known = recorded.map(({ id }) => id)
  expect(operators.map(({ id }) => id).filter((id) => !known.includes(id))).toEqual([])
})

test('leaves no recorded survivor without an argument', () => {
  expect(gapsIn(recorded).map(({ id }) => id)).toEqual([])
})

describe.concurrent('a sample of the mutants that were noticed', () => {
  const chosen = sampleOf(noticed, size, seed)

  test.for(chosen)(
    '$id is noticed by the same clause',
    { retry: 1 },
    async ({ id, by: [clause = ''] }) => {
      const { sight } = await runMutant(
        operators.find((mutant) => mutant.id === id),
        [clause],
      )
      const found = sight.clauses.find((one) => one.id === clause)
      expect(['fail', 'warn']).toContain(found?.verdict)
    },
  )
})
