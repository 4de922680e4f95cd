import { describe, expect, test } from 'vitest'
import { keepSites } from '../sites/record.ts'
import { runWatched } from '../sites/watched.ts'
import { hidden } from './faults/hidden/hidden.ts'
import { brokenIn, danglingIn } from './prove.ts'
import { sampled } from './prove-area.ts'

describe('nothing hides in a skip', () => {
  test.each(sampled(hidden))('$name', { retry: 1 }, async ({ name, exit, blames, ...bent }) => {
    const watched = await runWatched({ events: 200, ...bent }, [])
    const { checked } = watched
    expect(checked.exitCode, checked.output).toBe(exit)
    expect(brokenIn(checked), checked.output).toEqual(expect.arrayContaining(blames))
    expect(danglingIn(checked), checked.output).toEqual([])
    keepSites(`fault ${name}`, [], watched)
  })
})
