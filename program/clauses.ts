import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { commandLine } from '../engine/called.ts'
import type { ClauseFacts } from '../engine/clause/clause.ts'
import type { Forms } from '../engine/clause/forms.ts'
import { NoSuchClause } from '../engine/clause/selection.ts'
import { inThread } from '../engine/run/clause-thread.ts'
import { titleOf } from '../engine/run/contract.ts'
import type { Declared, Failure } from '../engine/run/runner.ts'
import { readEnvironment } from '../engine/settings/environment.ts'
import { unaskedAnywhere, unaskedIn } from '../helpers/asked-forms.ts'
import { readSettings } from '../helpers/settings/read.ts'
import type { Facts } from '../reporting/comparison/compare.ts'
import { parseGlobs } from './input/check-flags.ts'
import type { Call } from './input/read-flags.ts'
import { readFlags } from './input/read-flags.ts'
import { readReport } from './input/read-report.ts'
import { contract } from './run/contract.ts'

/** The clauses that match one of the globs, without any all, in their order, with their suites; none runs. */
export async function collectClauses(
  globs: string[] = [],
): Promise<(ClauseFacts & { suite: string })[]> {
  const selection = { clauses: globs, required: [], listing: commandLine('clauses') }
  let declared: Declared[] = []
  const errors: Failure[] = []
  const { done } = inThread(
    { entry: contract.entry, provide: { selection }, listing: true },
    (said) => {
      if (said.says === 'stumbled') errors.push(said.error)
      if (said.says !== 'collected') return
      declared = said.clauses
      errors.push(...said.errors)
    },
  )
  await done
  const [first] = errors
  if (first?.name === NoSuchClause.kind) throw new NoSuchClause(first.message)
  if (first) throw new Error(first.message)
  return declared.map(({ id, suite, meta }) => ({ ...(meta.clause ?? neverWithout(id)), suite }))
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
  name: 'clauses',
  about: '  Lists level, id and statement of each clause.\n',
  flags: {
    clauses: {
      argument: 'GLOB',
      meaning: 'list only the clauses with these ids; may repeat, a comma separates several',
      repeats: true,
    },
    forms: {
      meaning:
        'also show the forms in which each asked in the last run (REPORTS_DIR), and why not in others',
    },
  },
}

/** Prints id, level and statement of the clauses that are wanted, and their forms with --forms. */
export async function listClauses(call: Call): Promise<number> {
  const given = readFlags(command, call)
  if (!given) return 0
  const wanted = parseGlobs(given.flags.get('clauses'))
  const clauses = await collectClauses(wanted)
  const formsOf = given.flags.has('forms') ? lastFormsIn(call) : undefined
  const lines = clauses.flatMap((clause) => {
    const { id, level, statement } = clause
    const line = `${level.padEnd(8)} ${id.padEnd(40)} ${statement}`
    return formsOf ? [line, ...formLines(clause, formsOf(id))] : [line]
  })
  if (formsOf)
    for (const [what, reason] of Object.entries(unaskedAnywhere))
      lines.push(`asked by no clause: ${what} (${reason})`)
  for (const line of [...lines, clauses.length === 1 ? '1 clause' : `${clauses.length} clauses`])
    call.out.write(`${line}\n`)
  return 0
}

/** The forms in which clauses asked in the run whose report there is; without one, what they declare. */
function lastFormsIn({ cwd, env, out }: Call): (id: string) => Forms | undefined {
  const { REPORTS_DIR } = readEnvironment(cwd, env)
  const { reportsDir } = readSettings({ REPORTS_DIR }, { cwd })
  if (!existsSync(join(reportsDir, 'report.json'))) {
    out.write(
      `${reportsDir} holds no report: only what clauses declare is listed; ${commandLine('check')} first shows what they ask\n`,
    )
    return () => undefined
  }
  const { clauses, startedAt } = readReport(reportsDir)
  out.write(`as asked in the run of ${startedAt}\n`)
  const byId = new Map(clauses.map(({ id, forms }) => [id, forms]))
  return (id) => byId.get(id)
}

const noForm =
  'in no form that differs: the contract gives reads one, or it judges what other clauses asked'

/** A line for each dimension of a clause, and one for each thing that it does not ask. */
function formLines({ forms: declared, unasked: own }: ClauseFacts, asked?: Forms): string[] {
  const forms = asked ?? declared ?? {}
  // What a clause says of a dimension itself comes before what holds for all.
  const isOwn = (dimension: string) =>
    Object.keys(own ?? {}).some((what) => what.startsWith(`${dimension}:`))
  const withoutOwn = Object.fromEntries(
    Object.entries(forms).filter(([dimension]) => !isOwn(dimension)),
  )
  const lines = [
    ...Object.entries(forms).map(([dimension, each]) => `${dimension}: ${each.join(', ')}`),
    ...Object.entries({ ...unaskedIn(withoutOwn), ...own }).map(
      ([what, reason]) => `not asked: ${what} (${reason})`,
    ),
  ]
  const listed = lines.length > 0 ? lines : [noForm]
  return listed.map((line) => `${' '.repeat(9)}${line}`)
}
