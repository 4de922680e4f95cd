import { describe, expect, test } from 'vitest'
import { hidden } from './faults/hidden/hidden.ts'
import { brokenIn, danglingIn, runClauses } from './prove.ts'
import { sampled } from './prove-area.ts'

describe('nothing hides in a skip', () => {
  test.each(sampled(hidden))('$name', { retry: 1 }, async ({ exit, blames, ...bent }) => {
    const checked = await runClauses({ events: 200, ...bent }, [])
    expect(checked.exitCode, checked.output).toBe(exit)
    expect(brokenIn(checked), checked.output).toEqual(expect.arrayContaining(blames))
    expect(danglingIn(checked), checked.output).toEqual([])
  })
})
