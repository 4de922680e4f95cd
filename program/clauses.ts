import { commandLine } from '../engine/called.ts'
import type { ClauseFacts } from '../engine/clause/clause.ts'
import { NoSuchClause } from '../engine/clause/selection.ts'
import { matchesAny } from '../engine/glob.ts'
import { inThread } from '../engine/run/clause-thread.ts'
import { titleOf } from '../engine/run/contract.ts'
import type { Declared, Failure } from '../engine/run/runner.ts'
import { decidable } from '../helpers/recorded/judge.ts'
import { clausesIn, profileNames } from '../helpers/settings/profiles.ts'
import { firstVersion } from '../helpers/settings/versions.ts'
import type { Facts } from '../reporting/comparison/compare.ts'
import { counted } from '../reporting/parts/count.ts'
import costs from './costs.json' with { type: 'json' }
import { type Costs, profileLines } from './costs.ts'
import { describeSelection, type Parts, selectedBy } from './input/order.ts'
import { type Call, readFlags } from './input/read-flags.ts'
import { contract } from './run/contract.ts'

/** Lists the selected clauses in order (default: all) without running them. */
export async function collectClauses(parts: Parts = { clauses: [] }): Promise<ClauseFacts[]> {
  const asked = describeSelection(parts)
  const selection = { ...selectedBy(parts), required: [], listing: commandLine('clauses'), asked }
  let declared: Declared[] = []
  const errors: Failure[] = []
  const { entry } = contract
  await inThread({ entry, provide: { selection }, listing: true }, (said) => {
    if (said.says === 'uncaught') errors.push(said.error)
    if (said.says !== 'collected') return
    declared = said.clauses
    errors.push(...said.errors)
  }).done
  const [first] = errors
  if (first?.name === NoSuchClause.kind) throw new NoSuchClause(first.message)
  if (first) throw new Error(first.message)
  return declared.map(({ id, meta }) => meta.clause ?? neverWithout(id))
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

/** The operation that a clause counts under, or authentication, by the first part of its id. */
export const operationOf = ({ id, operation }: Pick<Facts, 'id' | 'operation'>): string =>
  operationsByPart[id.split('.')[0] ?? ''] ?? operation

function neverWithout(name: string): never {
  throw new Error(`the test '${name}' was not declared by clause()`)
}

const listedOf = (facts: ClauseFacts) => {
  const { id, level, statement, section, operation, since = firstVersion } = facts
  const profiles = profileNames.filter((name) => matchesAny(id, clausesIn(name) ?? ['*']))
  const traffic = decidable.has(id)
  return { id, level, statement, section, operation, since, profiles, traffic }
}

/** Prints level, id and statement of the selected clauses, and which of them recorded traffic can decide. */
export async function listClauses(call: Call): Promise<number> {
  const given = readFlags('clauses', call)
  if (!given) return 0
  const clauses = await collectClauses(given)
  if (given.format === 'ndjson') {
    for (const facts of clauses) call.out.write(`${JSON.stringify(listedOf(facts))}\n`)
    return 0
  }
  const markOf = (id: string) => (decidable.has(id) ? ' [traffic]' : '')
  for (const { id, level, statement } of clauses)
    call.out.write(`${level.padEnd(8)} ${id.padEnd(40)} ${statement}${markOf(id)}\n`)
  call.out.write(`${counted(clauses.length, 'clause')}\n`)
  if (!describeSelection(given)) call.out.write(`\n${profileLines(costs as Costs).join('\n')}\n`)
  return 0
}
