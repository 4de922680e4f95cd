import { matchesAny } from '../glob.ts'
import type { Share } from './shard.ts'

/** Which clauses are to run. */
export type Selection = {
  /** globs of the ids of the clauses to run; empty: all */
  clauses: string[]
  /** globs of the ids of clauses that must not be skipped */
  required: string[]
  /** ids of the clauses to run; left out: all */
  only?: string[]
  shard?: Share
  /** ids of clauses that are declared not to be permitted */
  notPermitted?: string[]
}

/** Whether a clause is wanted, be it by another shard. */
export const isWanted = (id: string, { clauses, only }: Selection): boolean =>
  (clauses.length === 0 || matchesAny(id, clauses)) && (!only || only.includes(id))

declare module 'vitest' {
  interface ProvidedContext {
    selection: Selection
  }
}

/** A glob that names no clause: nothing is run, for less would be checked than somebody thinks. */
export class NoSuchClause extends Error {
  static readonly kind = 'NoSuchClause'
  override name = NoSuchClause.kind
}

/** Throws where a glob of the selection matches none of the clauses. */
export function needClausesFor(
  { clauses, required }: Selection,
  declared: readonly string[],
): void {
  const idle = [...clauses, ...required].filter(
    (glob) => !declared.some((id) => matchesAny(id, [glob])),
  )
  if (idle.length > 0)
    throw new NoSuchClause(`${idle.join(', ')} matches no clause: npm run clauses lists the ids.`)
  const left = declared.filter(
    (id) => matchesAny(id, required) && clauses.length > 0 && !matchesAny(id, clauses),
  )
  if (left.length > 0)
    throw new NoSuchClause(`${left[0]} is required, but --clauses leaves it out.`)
}
