import { describe, expect, test } from 'vitest'
import { declarationOf } from '../../engine/run/reach.ts'
import type { Checked } from '../../program/report/finish.ts'
import { commitOf, createKept, product } from '../kept.ts'
import { sampleOf } from '../sample.ts'
import type { Bent, Proofs, Variant } from './fault.ts'
import {
  blamingIn,
  breachesIn,
  danglingIn,
  hollowIn,
  namedBy,
  runClauses,
  unjudgedIn,
} from './prove.ts'

// `npm test` runs a sample, each with the clauses of its area; `npm run proofs` all of them. `npm run
// prove` runs every fault and variant against all clauses, which takes six times as long.
const { PROVE, PROVE_SEED = '1', PROVE_SHARE = PROVE === undefined ? '0.01' : '1' } = process.env
const everything = PROVE === 'everything'

/** The same few of an area for the same seed, and one at least. */
export const sampled = <T>(list: readonly T[]): T[] =>
  sampleOf(list, Math.ceil(list.length * Number(PROVE_SHARE)), Number(PROVE_SEED))

/** What `npm run prove` proved of these files before: it goes on where it stopped. */
const kept = createKept<{ proof: string; commit: string }>('prove.jsonl')
const commit = everything ? commitOf(...product, 'selftest/proofs') : ''
const proved = new Set(
  everything ? kept.read().flatMap((line) => (line.commit === commit ? [line.proof] : [])) : [],
)
const keep = (proof: string) => {
  if (everything) kept.keep({ proof, commit })
}

// A proof is a whole run beside others, and can miss its time where the machine is busy. Only here:
// a test that fails now and then is to be mended, and a fault that is not caught fails twice.
const options = { retry: 1, ...(everything ? { timeout: 600_000 } : {}) }

/**
 * Proves the clauses of an area: each fault is caught by what it names, and no other writer is blamed for it;
 * no variant is condemned. One after another: each of several at once needs a thread that has loaded the
 * clauses.
 */
export function proveArea({ by: glob, faults = [], variants = [] }: Proofs): void {
  const area = everything ? [] : [glob].flat()
  // What is not about the export is seen with few events too.
  const isOfExport = [glob].flat().some((each) => each.startsWith('export'))
  const few = everything && !isOfExport ? { events: 200 } : {}
  const run = (bent: Bent, others: string[] = []) =>
    runClauses({ ...few, ...bent }, [...area, ...others])

  /** Once more with the declaration that the run has named. */
  const declare = async (variant: Variant, { report }: Checked) => {
    const refused = (report?.clauses ?? []).filter(({ cause }) => cause === 'refused')
    const NOT_PERMITTED = declarationOf(refused)
    // Where the key may do nothing of the area, something else has to be checked.
    const others = everything ? [] : ['auth.missing-key.*']
    return run({ ...variant, env: { ...variant.env, NOT_PERMITTED } }, others)
  }

  describe.runIf(faults.length > 0)(`faults, judged by ${glob}`, () => {
    test.for(sampled(faults))('$name', options, async (fault, { skip }) => {
      skip(proved.has(`fault ${fault.name}`), 'proved before')
      const checked = await run(fault)
      const { found, expected } = breachesIn(checked, fault, area)
      expect(found, checked.output).toEqual(expected)
      expect(danglingIn(checked), checked.output).toEqual([])
      expect(unjudgedIn(checked), checked.output).toEqual([])
      expect(blamingIn(checked), checked.output).toEqual([])
      expect(hollowIn(checked), checked.output).toEqual([])
      keep(`fault ${fault.name}`)
    })
  })

  describe.runIf(variants.length > 0)(`legal variants, not condemned by ${glob}`, () => {
    test.for(sampled(variants))('$name', options, async (variant, { skip }) => {
      skip(proved.has(`variant ${variant.name}`), 'proved before')
      const checked = await run(variant)
      const { found, expected } = breachesIn(checked, namedBy(variant), area)
      expect(found, checked.output).toEqual(expected)
      expect(hollowIn(checked), checked.output).toEqual([])
      const declared =
        variant.refuses && checked.exitCode === 3 ? await declare(variant, checked) : checked
      expect(declared.exitCode, declared.output).toBe(0)
      keep(`variant ${variant.name}`)
    })
  })
}
