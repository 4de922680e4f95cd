import type { Bent } from './fault.ts'
import { trialsOf } from './trials.ts'

/** A fault or variant; `by`: the clauses that judge it, as ids or globs; none: all. */
export type Proof = { name: string; by: readonly string[]; bent: Bent; isVariant: boolean }

export const proofs: Proof[] = trialsOf(false).flatMap(({ kind, name, by, bent }) =>
  kind === 'dead thing' ? [] : { name: `${kind} ${name}`, by, bent, isVariant: kind === 'variant' },
)
