import { matchesAny } from '../glob.ts'
import { Impossible } from '../impossible.ts'
import { nearest } from '../nearest.ts'

/** Which clauses are to run. */
export type Selection = {
  /** globs of the ids of the clauses to run; empty: all */
  clauses: string[]
  /** globs of the ids of clauses that must not be skipped */
  required: string[]
  /** ids of the clauses to run; left out: all */
  only?: string[]
  /** ids of clauses that are declared not to be permitted */
  notPermitted?: string[]
  /** the command that lists the ids, as people start it; left out: its name */
  listing?: string
}

/** Whether a clause is wanted. */
export const isWanted = (id: string, { clauses, only }: Selection): boolean =>
  (clauses.length === 0 || matchesAny(id, clauses)) && (!only || only.includes(id))

declare module 'vitest' {
  interface ProvidedContext {
    selection: Selection
  }
}

/** A glob that names no clause: nothing is run, for less would be checked than somebody thinks. */
export class NoSuchClause extends Impossible {
  static readonly kind = 'NoSuchClause'
  override name = NoSuchClause.kind
}

/** Throws where a glob of the selection matches none of the clauses, or an id of it is none. */
export function needClausesFor(
  { clauses, required, notPermitted = [], listing = 'the command clauses' }: Selection,
  declared: readonly string[],
): void {
  const idle = [...clauses, ...required].filter(
    (glob) => !declared.some((id) => matchesAny(id, [glob])),
  )
  if (idle.length > 0)
    throw new NoSuchClause(
      `${idle.join(', ')} matches no clause${meantFor(idle[0] ?? '', declared)} ${listing} lists the ids.`,
    )
  const unknown = notPermitted.find((id) => !declared.includes(id))
  if (unknown !== undefined)
    throw new NoSuchClause(
      `NOT_PERMITTED holds '${unknown}', which is neither an operation nor the id of a clause${meantFor(unknown, declared)} ${listing} lists the ids.`,
    )
  const left = declared.filter(
    (id) => matchesAny(id, required) && clauses.length > 0 && !matchesAny(id, clauses),
  )
  if (left.length > 0)
    throw new NoSuchClause(`${left[0]} is required, but --clauses leaves it out.`)
}

/** What somebody may have meant: all whose ids begin so, or the one that is spelt nearly so. */
function meantFor(given: string, declared: readonly string[]): string {
  const isBeginning = declared.some((id) => id.startsWith(`${given}.`))
  const meant = isBeginning ? `${given}.*` : nearest(given, declared, 3)
  return meant === undefined ? ':' : `; did you mean ${meant}?`
}
