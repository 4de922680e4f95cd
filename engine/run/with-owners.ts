import type { Selection } from '../clause/selection.ts'
import { missingOwners } from './references.ts'
import type { Clauses } from './run-clauses.ts'

/** Owners may refer to owners in turn; longer chains are a defect of the suite, and dangle. */
const maxRounds = 4

export type WithOwners = Clauses & {
  /** ids of the clauses that ran because others refer to them */
  owners: string[]
}

/**
 * Runs the clauses that are selected, and then those that own what these left undecided or met, though
 * they were not selected (rule R7). `run` is given what became of the clauses that ran before.
 */
export async function runWithOwners(
  run: (selection: Selection, before: Clauses | undefined) => Promise<Clauses>,
  selection: Selection,
  stop: AbortSignal,
): Promise<WithOwners> {
  let found = await run(selection, undefined)
  const owners: string[] = []
  for (let round = 1; round <= maxRounds && !stop.aborted; round += 1) {
    const only = missingOwners(found.judged, found.met).filter((id) => found.declared.includes(id))
    if (only.length === 0) break
    const { notPermitted } = selection
    const more = await run({ clauses: [], required: [], only, notPermitted }, found).catch(crashed)
    owners.push(...more.judged.map(({ facts }) => facts.id))
    found = together(found, more)
    if (more.judged.length === 0) break
  }
  return { ...found, owners }
}

/** What ran before is reported all the same. */
const crashed = (error: unknown): Clauses => ({
  judged: [],
  errors: [error instanceof Error ? error.message : String(error)],
  declared: [],
  met: [],
})

function together(one: Clauses, other: Clauses): Clauses {
  const { declared } = one
  const placeOf = (id: string) => declared.indexOf(id)
  return {
    judged: [...one.judged, ...other.judged].toSorted(
      (a, b) => placeOf(a.facts.id) - placeOf(b.facts.id),
    ),
    errors: [...one.errors, ...other.errors],
    declared,
    met: [...one.met, ...other.met],
  }
}
