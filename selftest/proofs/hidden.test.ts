import { describe, expect, test } from 'vitest'
import { hidden } from './faults/hidden.ts'
import { brokenIn, danglingIn, runAgainst } from './prove.ts'
import { sampled } from './prove-area.ts'

describe.concurrent('nothing hides in a skip', () => {
  test.each(sampled(hidden))('$name', { retry: 1 }, async ({ exit, blames, ...bent }) => {
    const checked = await runAgainst({ events: 200, ...bent }, [], { makers: {} })
    expect(checked.exitCode, checked.output).toBe(exit)
    expect(brokenIn(checked), checked.output).toEqual(expect.arrayContaining(blames))
    expect(danglingIn(checked), checked.output).toEqual([])
  })
})
