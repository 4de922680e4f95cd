import { describe, expect, test } from 'vitest'
import { matchesAny } from '../helpers/glob.ts'
import type { Bend, Fault, Variant } from './bend.ts'
import { mixtureOf, mixtures, nameOf } from './mixtures.ts'
import { brokenIn, expectedOf, runAgainst } from './prove.ts'

// `npm run prove` runs every fault and variant against all clauses, PROVE=areas each against those of
// its area. Both take longer than anybody waits for tests: without, what they name is proven once.
const everything = process.env.PROVE === 'everything'
const eachAlone = process.env.PROVE !== undefined

/** Proves the clauses of an area: each fault is caught by what it names, no variant is condemned. */
export function proveArea(
  glob: string | string[],
  faults: readonly Fault[],
  variants: readonly Variant[] = [],
): void {
  const area = everything ? [] : [glob].flat()
  const argv = area.flatMap((each) => ['--clauses', each])
  // Nobody reads its reports, and making them takes a tenth of its time.
  const run = (bend: Bend) => runAgainst(bend, argv, {})

  const planted = eachAlone ? faults : coverOf(faults)
  describe.runIf(faults.length > 0).concurrent(`faults, judged by ${glob}`, () => {
    test.each(planted)('$name', async (fault) => {
      const checked = await run(fault)
      const { mayBreak = [] } = fault
      const expected = expectedOf(fault, checked, area)
      const found = brokenIn(checked).filter(
        (id) => expected.includes(id) || !matchesAny(id, mayBreak),
      )
      expect(found, checked.told).toEqual(expected)
    })
  })

  const expectAccepted = async (variant: Variant) => {
    const checked = await run(variant)
    const { warns = [] } = variant
    const expected = expectedOf({ ...variant, breaks: warns }, checked, area)
    expect(brokenIn(checked), checked.told).toEqual(expected)
    expect(checked.exitCode, checked.told).toBe(0)
  }

  const tried = eachAlone ? variants.map((variant) => [variant]) : mixtures(variants)
  describe.runIf(variants.length > 0).concurrent(`legal variants, not condemned by ${glob}`, () => {
    test.each(tried.map((parts) => ({ name: nameOf(parts), parts })))(
      '$name',
      async ({ parts }) => {
        if (parts.length > 1) {
          const checked = await run(mixtureOf(parts))
          if (checked.exitCode === 0 && brokenIn(checked).length === 0) return
        }
        // What is too much together need not be too much alone.
        for (const variant of parts) await expectAccepted(variant)
      },
    )
  })
}

/** The first faults by which every id or glob that one of them breaks is broken. */
function coverOf(faults: readonly Fault[]): Fault[] {
  const named = new Set<string>()
  return faults.filter(({ breaks }) => {
    const others = breaks.filter((id) => !named.has(id))
    for (const id of others) named.add(id)
    return others.length > 0
  })
}
