import { describe, expect, test } from 'vitest'
import { matchesAny } from '../../engine/glob.ts'
import { dead } from './dead/dead.ts'
import { free } from './dead/free.ts'
import { brokenIn, runClauses } from './prove.ts'
import { sampled } from './prove-area.ts'

const exitAndBreaches = (bent: (typeof dead)[number], clauses: readonly string[]) =>
  runClauses(bent, clauses).then(
    (checked) => ({ exit: checked.exitCode, broken: brokenIn(checked) }),
    // A run that cannot be made is not green either.
    (error: unknown) => {
      if (!(error instanceof Error) || error.name !== 'Impossible') throw error
      return { exit: 2, broken: [] }
    },
  )

/** Ended by a breach, by a warning, or not as conformant. */
const isNoticed = ({ exit, broken }: { exit: number; broken: string[] }) =>
  exit !== 0 || broken.length > 0

const isFree = ({ name }: { name: string }) => matchesAny(name, Object.keys(free))

describe('a thing that the contract names is dead: no run ends green without a warning', () => {
  test.each(sampled(dead.filter((each) => !isFree(each))))('$name', async (each) => {
    const ofArea = await exitAndBreaches(each, each.by)
    if (isNoticed(ofArea)) return
    expect(isNoticed(await exitAndBreaches(each, []))).toBe(true)
  })

  test('and every exemption matches a dead thing', () => {
    for (const glob of Object.keys(free))
      expect(
        dead.filter(({ name }) => matchesAny(name, [glob])),
        glob,
      ).not.toEqual([])
  })
})
