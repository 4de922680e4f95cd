import { createVitest } from 'vitest/node'
import type { ClauseFacts } from '../engine/clause/clause.ts'
import { titleOf } from '../engine/run/contract.ts'
import { runnerOptions } from '../engine/run/runner-options.ts'
import type { Facts } from '../reporting/comparison/compare.ts'
import type { Call } from './input/read-flags.ts'
import { readFlags } from './input/read-flags.ts'
import { contract } from './run/contract.ts'

/** Every clause that the suites declare, in their order, with its suite, without running any. */
export async function collectClauses(): Promise<(ClauseFacts & { suite: string })[]> {
  const selection = { clauses: [], required: [] }
  const vitest = await createVitest('test', {
    ...runnerOptions(contract.entry, { selection }),
    reporters: [{}],
  })
  try {
    const specifications = await vitest.globTestSpecifications()
    const { testModules } = await vitest.collectTests(specifications)
    const broken = testModules.flatMap((module) => module.errors())
    if (broken[0]) throw new Error(broken[0].message)
    return testModules.flatMap((module) =>
      [...module.children.allTests()].map((test) => ({
        ...(test.meta().clause ?? neverWithout(test.name)),
        suite: test.parent.type === 'suite' ? test.parent.name : '',
      })),
    )
  } finally {
    await vitest.close()
  }
}

/** What reports say of a clause whether or not it ran. */
export const factsOf = (facts: ClauseFacts & { suite: string }): Facts => ({
  id: facts.id,
  level: facts.level,
  statement: facts.statement,
  section: facts.section,
  operation: titleOf(contract, facts, facts.suite),
})

function neverWithout(name: string): never {
  throw new Error(`the test '${name}' was not declared by clause()`)
}

const command = {
  script: 'clauses',
  about: '  Lists level, id and statement of every clause; it takes no flags.\n',
  flags: {},
}

/** Prints id, level and statement of every clause. */
export async function listClauses(call: Call): Promise<number> {
  if (!readFlags(command, call)) return 0
  const { out } = call
  const clauses = await collectClauses()
  for (const { id, level, statement } of clauses)
    out.write(`${level.padEnd(8)} ${id.padEnd(40)} ${statement}\n`)
  out.write(`${clauses.length} clauses\n`)
  return 0
}
