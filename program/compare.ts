import { resolve } from 'node:path'
import { Impossible } from '../engine/impossible.ts'
import { writeWhole } from '../engine/journal/disk.ts'
import {
  breaksContract,
  type Compared,
  type Facts,
  figuresOf,
} from '../reporting/comparison/compare.ts'
import { comparisonOf } from '../reporting/comparison/comparison.ts'
import { htmlOf, jsonOf, textOf } from '../reporting/comparison/renderings.ts'
import { factsOfSuite, operationOf } from './clauses.ts'
import type { Given } from './input/commands.ts'
import { type Call, readFlags } from './input/read-flags.ts'
import { orImpossible } from './input/read-json.ts'
import { readReport } from './input/read-report.ts'

/** Compares a report with another. Exit code 0: faithful, 1: diverging by --fail-on. */
export async function compareReports(call: Call): Promise<number> {
  const { cwd, out } = call
  const { words, failOn, html, json } = readFlags('compare', call)
  if (words.length > 2)
    throw new Impossible(
      `compare needs two reports and got ${words.length}; a board compares many targets.`,
    )
  const [one, other] = words.map((file) => {
    const report = readReport(resolve(cwd, file))
    return { file, report: { ...report, clauses: report.clauses.map(byOperation) } }
  }) as [Side, Side]
  const known = new Set(one.report.clauses.map(({ id }) => id))
  const isKnown = ({ id }: Facts) => known.has(id)
  const { clauses } = other.report
  if (known.size > 0 && clauses.length > 0 && !clauses.some(isKnown))
    throw new Impossible(
      `${one.file} and ${other.file} have no clause in common; give two reports of one suite.`,
    )
  const comparison = comparisonOf([one, other], factsOfSuite().map(byOperation))
  // If nothing was compared, no comparison has a verdict.
  const nothing = 'Nothing was compared: no clause is decided in both reports'
  if (figuresOf(comparison.compared).compared === 0)
    throw new Impossible([nothing, ...comparison.remarks].join('; '))
  const [faithful, diverges] = judges[failOn]
  const diverging = comparison.compared.some(diverges)
  const judgement = { diverging, word: diverging ? 'DIVERGING' : faithful }
  write('--html', html, cwd, () => htmlOf(comparison, judgement))
  write('--json', json, cwd, () => jsonOf(comparison, judgement))
  out.write(textOf(comparison, judgement))
  return diverging ? 1 : 0
}

type Side = Parameters<typeof comparisonOf>[0][0]

/** A clause under its operation of the contract, which its report may name differently. */
const byOperation = <T extends Facts>(clause: T): T => ({
  ...clause,
  operation: operationOf(clause),
})

type FailOn = Given<'compare'>['failOn']

const judges: Record<FailOn, [faithful: string, diverges: (each: Compared) => boolean]> = {
  contract: ['FAITHFUL as far as the contract goes', breaksContract],
  any: ['FAITHFUL', ({ outcome }) => outcome === 'diverge'],
  none: ['COMPARED', () => false],
}

function write(flag: string, file: string | undefined, cwd: string, make: () => string) {
  if (file === undefined) return
  orImpossible(
    () => writeWhole(resolve(cwd, file), make()),
    (reason) => `${flag} ${file} cannot be written (${reason}); give a file in an existing folder.`,
  )
}
