import { commandLine } from '../engine/called.ts'
import { type ClauseFacts, clauses } from '../engine/clause/clause.ts'
import { isWanted, needClausesFor } from '../engine/clause/selection.ts'
import { counted } from '../engine/counted.ts'
import { matchesAny } from '../engine/glob.ts'
import { titleOf } from '../engine/run/contract.ts'
import { decidableIn } from '../helpers/recorded/judge.ts'
import { clausesIn, profileNames } from '../helpers/settings/profiles.ts'
import { firstVersion } from '../helpers/settings/versions.ts'
import type { Facts } from '../reporting/comparison/compare.ts'
import costs from './costs.json' with { type: 'json' }
import { type Costs, profileLines } from './costs.ts'
import { describeSelection, type Parts, selectedBy } from './input/order.ts'
import { type Call, readFlags } from './input/read-flags.ts'
import { contract } from './run/contract.ts'

/** All clauses of the suite, with what recorded traffic shows of them. */
export async function loadClauses(): Promise<typeof clauses> {
  await import('../suites/all.ts')
  return clauses
}

/** Lists the selected clauses in order (default: all) without running them. */
export async function collectClauses(parts: Parts = { clauses: [] }): Promise<ClauseFacts[]> {
  const asked = describeSelection(parts)
  const selection = { ...selectedBy(parts), required: [], listing: commandLine('clauses'), asked }
  const all = [...(await loadClauses()).values()].map(({ facts }) => facts)
  needClausesFor(selection, all)
  return all.filter((facts) => isWanted(facts, selection))
}

export const factsOfSuite = async (all = collectClauses()): Promise<Facts[]> =>
  (await all).map((facts) => {
    const { id, level, statement, section } = facts
    return { id, level, statement, section, operation: titleOf(contract, facts) }
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

const listedOf = (facts: ClauseFacts, decidable: ReadonlySet<string>) => {
  const { id, level, statement, section, operation, since = firstVersion } = facts
  const profiles = profileNames.filter((name) => matchesAny(id, clausesIn(name) ?? ['*']))
  const traffic = decidable.has(id)
  return { id, level, statement, section, operation, since, profiles, traffic }
}

/** Prints level, id and statement of the selected clauses, and which of them recorded traffic can decide. */
export async function listClauses(call: Call): Promise<number> {
  const given = readFlags('clauses', call)
  if (!given) return 0
  const listed = await collectClauses(given)
  const decidable = decidableIn(clauses)
  if (given.format === 'ndjson') {
    for (const facts of listed) call.out.write(`${JSON.stringify(listedOf(facts, decidable))}\n`)
    return 0
  }
  const markOf = (id: string) => (decidable.has(id) ? ' [traffic]' : '')
  for (const { id, level, statement } of listed)
    call.out.write(`${level.padEnd(8)} ${id.padEnd(40)} ${statement}${markOf(id)}\n`)
  call.out.write(`${counted(listed.length, 'clause')}\n`)
  if (!describeSelection(given)) call.out.write(`\n${profileLines(costs as Costs).join('\n')}\n`)
  return 0
}
