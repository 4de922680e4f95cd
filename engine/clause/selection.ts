import { matchesAny } from '../glob.ts'
import { Impossible } from '../impossible.ts'
import { nearest } from '../nearest.ts'
import type { Level } from '../verdict.ts'

export type Selection = {
  clauses: string[]
  profile?: readonly string[]
  levels?: readonly Level[]
  sections?: readonly string[]
  /** in the user's words */
  asked?: string
  required: string[]
  only?: string[]
  notPermitted?: string[]
  listing?: string
}

type Selectable = { id: string; level: Level; section: string }

export const isWanted = (
  { id, level, section }: Selectable,
  { clauses, profile, levels, sections, only }: Omit<Selection, 'required'>,
): boolean =>
  (clauses.length === 0 || matchesAny(id, clauses)) &&
  (!profile || matchesAny(id, profile)) &&
  (!levels || levels.includes(level)) &&
  (!sections || sections.includes(section)) &&
  (!only || only.includes(id))

declare module 'vitest' {
  interface ProvidedContext {
    selection: Selection
  }
}

/** Nothing runs: the run would check less than the user thinks. */
export class NoSuchClause extends Impossible {
  static readonly kind = 'NoSuchClause'
  override name = NoSuchClause.kind
}

export function needClausesFor(selection: Selection, all: readonly Selectable[]): void {
  const { clauses, required, notPermitted = [], listing = 'the command clauses' } = selection
  const { asked = 'the selection' } = selection
  const declared = all.map(({ id }) => id)
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
      `NOT_PERMITTED contains '${unknown}', which is neither an operation nor the id of a clause${meantFor(unknown, declared)} ${listing} lists the ids.`,
    )
  if (all.length > 0 && !all.some((clause) => isWanted(clause, selection)))
    throw new NoSuchClause(`${asked} selects no clause; ${listing} lists the clauses.`)
  const isLeftOut = (clause: Selectable) => !isWanted(clause, { ...selection, only: undefined })
  const left = all.find((clause) => matchesAny(clause.id, required) && isLeftOut(clause))
  if (left) throw new NoSuchClause(`${left.id} is required, but ${asked} leaves it out.`)
}

function meantFor(given: string, declared: readonly string[]): string {
  const isBeginning = declared.some((id) => id.startsWith(`${given}.`))
  const meant = isBeginning ? `${given}.*` : nearest(given, declared, 3)
  return meant === undefined ? ':' : `; did you mean ${meant}?`
}
