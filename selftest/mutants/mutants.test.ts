import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { root } from '../kept.ts'
import { sampleOf } from '../sample.ts'
import { runMutant } from './one.ts'
import { operators } from './operators.ts'
import { gapsIn, recordedIn, unknownArguments } from './write.ts'

// A few tenths of a second each: only the first clauses that noticed a mutant are asked again.
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
    '$id is noticed where the same clauses ask',
    { retry: 1 },
    async ({ id, by }) => {
      const mutant = operators.find((each) => each.id === id)
      const { sight } = await runMutant(mutant, by)
      const broken = sight.clauses.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
      // Where fewer clauses ask, another owner may meet it.
      expect(broken.map((clause) => clause.id)).not.toEqual([])
    },
  )
})
