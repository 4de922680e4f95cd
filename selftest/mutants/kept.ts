import { commitOf, createKept, product } from '../kept.ts'
import type { Baseline, Outcome } from './outcome.ts'

export type Line = { baseline: Baseline; commit: string } | Outcome

/** The outcomes of mutants, one line for each run. */
export const kept = createKept<Line>('mutants.jsonl')

/** The commit of the files; only what can change an outcome makes another one of it. */
export const commitOfMutants = (): string =>
  commitOf(...product, 'selftest/mutants', ':!selftest/mutants/arguments.ts')
