import { describe, expect, test } from 'vitest'
import { runAgainst } from '../proofs/prove.ts'
import { warm } from '../proofs/threads/warm-threads.ts'
import { flipsIn } from './flips.ts'
import { type Sight, sightOf } from './sight.ts'

// ORDERS=100 npx vitest run selftest/steady/orders draws so many.
const count = Number(process.env.ORDERS ?? '2')
const runner = `${import.meta.dirname}/shuffling-runner.ts`
const commit = ''
const target = 'the embedded service'

describe('clauses do not depend on the order in which they begin', { timeout: 3_600_000 }, () => {
  test(`${count} orders say what the order of the suites says`, async () => {
    const meet = async (manner: string, more = {}): Promise<Sight> => {
      const checked = await runAgainst({}, [], { makers: {}, ...more })
      expect(checked.exitCode, `${manner}\n${checked.output}`).toBe(0)
      return sightOf(checked, { commit, target, manner, seconds: 0 })
    }
    const inOrder = await meet('the order of the suites')
    for (let seed = 1; seed <= count; seed += 1) {
      const other = await meet(`order ${seed}`, { runner: warm({ runner, seed }) })
      expect(flipsIn([inOrder, other]), `order ${seed}`).toEqual([])
    }
  })
})
