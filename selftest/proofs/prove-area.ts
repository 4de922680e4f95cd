import { describe, expect, test } from 'vitest'
import { commitOf, createKept, product } from '../kept.ts'
import { sampleOf } from '../sample.ts'
import type { Proofs } from './fault.ts'
import { type Trial, trialsOfArea } from './trials.ts'

// `npm test` runs a sample, each with the clauses of its area; `npm run proofs` all of them, in simulated
// time. `npm run prove` runs every fault and variant against all clauses.
const { PROVE, PROVE_SEED = '1', PROVE_SHARE = PROVE === undefined ? '0.01' : '1' } = process.env
const everything = PROVE === 'everything'

/** The same few of an area for the same seed, and one at least. */
const sampled = <T>(list: readonly T[]): T[] =>
  sampleOf(list, Math.ceil(list.length * Number(PROVE_SHARE)), Number(PROVE_SEED))

/** What `npm run prove` proved of these files before: it goes on where it stopped. */
const kept = createKept<{ proof: string; commit: string }>('prove.jsonl')
const commit = everything ? commitOf(...product, 'selftest/proofs') : ''
const proved = new Set(
  everything ? kept.read().flatMap((line) => (line.commit === commit ? [line.proof] : [])) : [],
)

// A proof is a whole run beside others, and can miss its time where the machine is busy. Only here:
// a test that fails now and then is to be mended, and a fault that is not caught fails twice.
const options = { retry: 1, ...(everything ? { timeout: 600_000 } : {}) }

/** A sample of proofs, one after another: each of several at once needs a thread that has loaded the clauses. */
export function proveTrials(title: string, trials: readonly Trial[]): void {
  describe.runIf(trials.length > 0)(title, () => {
    test.for(sampled(trials))('$name', options, async ({ kind, name, problems }, { skip }) => {
      const proof = `${kind} ${name}`
      skip(proved.has(proof), 'proved before')
      expect(await problems()).toEqual([])
      if (everything) kept.keep({ proof, commit })
    })
  })
}

/** Proves the clauses of an area: each fault is caught by what it names, and no variant is condemned. */
export function proveArea(proofs: Proofs): void {
  const trials = trialsOfArea(proofs, everything)
  const of = (kind: Trial['kind']) => trials.filter((each) => each.kind === kind)
  proveTrials(`faults, judged by ${proofs.by}`, of('fault'))
  proveTrials(`legal variants, not condemned by ${proofs.by}`, of('variant'))
}
