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
  about: '  Lists level, id and statement of every clause.\n',
  flags: {
    forms: { meaning: 'and in which forms each asks, and which it does not ask, with the reason' },
  },
}

/** Prints id, level and statement of every clause, and its forms where they are wanted. */
export async function listClauses(call: Call): Promise<number> {
  const given = readFlags(command, call)
  if (!given) return 0
  const { out } = call
  const clauses = await collectClauses()
  for (const clause of clauses) {
    const { id, level, statement } = clause
    out.write(`${level.padEnd(8)} ${id.padEnd(40)} ${statement}\n`)
    if (given.flags.has('forms'))
      out.write(
        formLines(clause)
          .map((line) => `${line}\n`)
          .join(''),
      )
  }
  out.write(`${clauses.length} clauses\n`)
  return 0
}

/** A line for each dimension of a clause, and one for each thing that it does not ask. */
function formLines({ forms = {}, unasked = {} }: ClauseFacts): string[] {
  const lines = [
    ...Object.entries(forms).map(([dimension, each]) => `${dimension}: ${each.join(', ')}`),
    ...Object.entries(unasked).map(([what, reason]) => `not asked: ${what} (${reason})`),
  ]
  const listed = lines.length > 0 ? lines : ['in one form']
  return listed.map((line) => `${' '.repeat(9)}${line}`)
}
