import { resolve } from 'node:path'
import { Impossible } from '../engine/impossible.ts'
import { writeWhole } from '../engine/journal/disk.ts'
import { breaksContract, type Facts } from '../reporting/comparison/compare.ts'
import { comparisonOf, type Side } from '../reporting/comparison/comparison.ts'
import { figuresOf } from '../reporting/comparison/figures.ts'
import { htmlOf } from '../reporting/comparison/html.ts'
import { jsonOf } from '../reporting/comparison/json.ts'
import { textOf } from '../reporting/comparison/text.ts'
import { factsOfSuite, operationOf } from './clauses.ts'
import type { Given } from './input/commands.ts'
import { orImpossible } from './input/or-impossible.ts'
import { type Call, readFlags } from './input/read-flags.ts'
import { readReport } from './input/read-report.ts'

/** Compares reports with the first. Exit code 0: faithful, 1: diverging by --fail-on. */
export async function compareReports(call: Call): Promise<number> {
  const { cwd, out } = call
  const flags = readFlags('compare', call)
  const { words, failOn } = flags
  const twice = words.find((word, at) => words.indexOf(word) < at)
  if (words.length > 2 && twice !== undefined)
    throw new Impossible(`${twice} is given twice; give each report once.`)
  const [first, ...rest] = words.map((file) => {
    const report = readReport(resolve(cwd, file))
    return { file, report: { ...report, clauses: report.clauses.map(byOperation) } }
  })
  if (!first) throw new Impossible('compare needs two reports or more.')
  const known = new Set(first.report.clauses.map(({ id }) => id))
  const isKnown = ({ id }: Facts) => known.has(id)
  for (const { file, report } of rest)
    if (known.size > 0 && report.clauses.length > 0 && !report.clauses.some(isKnown))
      throw new Impossible(
        `${first.file} and ${file} have no clause in common; give two reports of one suite.`,
      )
  const comparison = comparisonOf([first, ...rest], factsOfSuite().map(byOperation))
  const [, ...others] = comparison.sides
  // If nothing was compared, no comparison has a verdict.
  for (const { file, compared } of others)
    if (figuresOf(compared).compared === 0)
      throw new Impossible(
        `${others.length > 1 ? `${file}: ` : ''}${['Nothing was compared: no clause is decided in both reports', ...comparison.remarks].join('; ')}`,
      )
  const diverging = others.some(diverges[failOn])
  const judgement = { diverging, word: diverging ? 'DIVERGING' : faithful[failOn] }
  write('--html', flags.html, cwd, () => htmlOf(comparison, judgement))
  write('--json', flags.json, cwd, () => jsonOf(comparison, judgement))
  out.write(textOf(comparison, judgement))
  return diverging ? 1 : 0
}

/** A clause under its operation of the contract, which its report may name differently. */
const byOperation = <T extends Facts>(clause: T): T => ({
  ...clause,
  operation: operationOf(clause),
})

type FailOn = Given<'compare'>['failOn']

/** The verdict claims only what was compared. */
const faithful: Record<FailOn, string> = {
  contract: 'FAITHFUL as far as the contract goes',
  any: 'FAITHFUL',
  none: 'COMPARED',
}

const diverges: Record<FailOn, (side: Side) => boolean> = {
  contract: ({ compared }) => compared.some(breaksContract),
  any: ({ compared }) => compared.some(({ outcome }) => outcome === 'diverge'),
  none: () => false,
}

function write(flag: string, file: string | undefined, cwd: string, make: () => string) {
  if (file === undefined) return
  orImpossible(
    () => writeWhole(resolve(cwd, file), make()),
    (reason) => `${flag} ${file} cannot be written (${reason}); give a file in an existing folder.`,
  )
}
