// A clause about keys, or about updates that are rejected, never fails because of the breach of another clause.
import { matchesAny } from '../../../engine/glob.ts'
import { suite } from '../../../program/clauses.ts'
import { wordsOf } from '../../long.ts'

const globs = wordsOf(`
  auth.* assign.content-type-required.unchanged assign.field-types assign.malformed-id* assign.not-found.*
  assign.not-json assign.refused-keeps-version assign.required.* assign.type-values*
  version.mismatch-answered version.refused-* version.required* version.stale.* version.star version.wrong.*
`)

/** Whether a clause is about keys, or about updates that are rejected. */
const isAboutRefusals = (id: string): boolean => matchesAny(id, globs)

const teamsTask = 'it is about refusals, but only version.model is sure to try a task of a team'

/** Faults whose owners are other clauses, and that such a clause may find too, each with the reason. */
export const mistakenForRefusals: Readonly<Record<string, string>> = {
  'updates are undone after a while, and the task has a new version then':
    'an assignment that is undone while the run watches for a rejected unassign looks like that unassign',
  'the first task is answered whatever was asked for':
    'an update of an id that is not a UUID finds the first task, too',
  'a stale If-Match is taken for a team’s task on assign.update': teamsTask,
  'a stale If-Match is taken for a team’s task on assign.unassign': teamsTask,
  'an assignment to a team that has just lost a race is carried out a while later':
    'what lost the race was rejected with 409',
}

type NamedFault = { name: string; breaks: readonly string[] }

/** Whether a clause about keys or refusals would fail here for the breach of another clause. */
export function isOfOtherBreach({ name, breaks }: NamedFault, id: string): boolean {
  if (!isAboutRefusals(id) || name in mistakenForRefusals) return false
  return !suite.some((clause) => isAboutRefusals(clause.id) && matchesAny(clause.id, breaks))
}
