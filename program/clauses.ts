import { commandLine } from '../engine/called.ts'
import type { ClauseFacts } from '../engine/clause/clause.ts'
import { isWanted, needClausesFor, type Selection } from '../engine/clause/selection.ts'
import { counted } from '../engine/counted.ts'
import { matchesAny } from '../engine/glob.ts'
import { titleOf } from '../engine/run/contract.ts'
import { operations } from '../helpers/contract/operations.ts'
import { clausesIn, profileNames } from '../helpers/settings/profiles.ts'
import type { table } from '../helpers/settings/table.ts'
import type { Facts } from '../reporting/comparison/compare.ts'
import listed from './clauses.json' with { type: 'json' }
import { profileLines } from './costs.ts'
import { describeSelection, type Parts, selectedBy } from './input/order.ts'
import { needNoneRetired, noticesOfGlobs, presentGlobs } from './input/present-ids.ts'
import { type Call, readFlags } from './input/read-flags.ts'

/** A setting that a clause cannot do without, by the givens that it names. */
export type Need = keyof typeof table

export type ListedClause = ClauseFacts & { needs?: Need[] }

/** All clauses of the suite, in order, as a test writes them down: to load the suites takes a second. */
export const suite = listed as ListedClause[]

export const clausesFlag = (ids: readonly string[]): string[] =>
  ids.length < suite.length ? ['--clauses', ids.join()] : []

export function chosenBy(selection: Selection): typeof suite {
  needClausesFor(selection, suite)
  return suite.filter((facts) => isWanted(facts, selection))
}

function selectionOf(parts: Parts): Selection {
  needNoneRetired(parts.clauses, '--clauses')
  const present = { ...parts, clauses: presentGlobs(parts.clauses) }
  return {
    ...{ ...selectedBy(present), required: [], listing: commandLine('clauses') },
    asked: describeSelection(present),
  }
}

export const collectClauses = async (parts: Parts): Promise<ClauseFacts[]> =>
  chosenBy(selectionOf(parts))

/** The clauses as comparisons need them. */
export const factsOfSuite = (): Facts[] =>
  suite.map((facts) => {
    const { id, level, statement, section } = facts
    return { id, level, statement, section, operation: titleOf({ operations }, facts) }
  })

const operationsByPart: Record<string, string> = {
  auth: 'Authentication',
  task: 'Retrieve a task',
  assessment: 'Retrieve an assessment',
  export: 'Export audit events',
  audit: 'Export audit events',
  assign: 'Update a task assignment',
  version: 'Update a task assignment',
  notify: 'Update a task assignment',
}

export const operationOf = ({ id, operation }: Pick<Facts, 'id' | 'operation'>): string =>
  operationsByPart[id.split('.')[0] ?? ''] ?? operation

export const profilesOf = (id: string) =>
  profileNames.filter((name) => matchesAny(id, clausesIn(name) ?? ['*']))

export async function listClauses(call: Call): Promise<number> {
  const given = readFlags('clauses', call)
  const chosen = chosenBy(selectionOf(given))
  for (const { id, level, statement } of chosen)
    call.out.write(`${level.padEnd(8)} ${id.padEnd(40)} ${statement}\n`)
  call.out.write(`${counted(chosen.length, 'clause')}\n`)
  for (const notice of noticesOfGlobs(given.clauses, '--clauses'))
    call.out.write(`notice: ${notice}\n`)
  if (!describeSelection(given)) call.out.write(`\n${profileLines().join('\n')}\n`)
  return 0
}
