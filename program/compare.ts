import { resolve } from 'node:path'
import { Impossible } from '../engine/impossible.ts'
import { writeWhole } from '../engine/journal/disk.ts'
import {
  breaksContract,
  type Compared,
  type Facts,
  figuresOf,
} from '../reporting/comparison/compare.ts'
import { type Comparison, comparisonOf, type Side } from '../reporting/comparison/comparison.ts'
import { type Comparisons, htmlOf, jsonOf, textOf } from '../reporting/comparison/renderings.ts'
import { factsOfSuite, operationOf } from './clauses.ts'
import type { Given } from './input/commands.ts'
import { noticesOfReport, withPresentIds } from './input/present-ids.ts'
import { type Call, readFlags } from './input/read-flags.ts'
import { orImpossible } from './input/read-json.ts'
import { readReport } from './input/read-report.ts'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** Compares reports with the first of them. Exit code 0: faithful, 1: diverging by --fail-on. */
export async function compareReports(call: Call): Promise<number> {
  const { cwd, out } = call
  const { words, failOn, html, json } = readFlags('compare', call)
  if (words.length > letters.length)
    throw new Impossible(
      `compare accepts up to ${letters.length} reports and got ${words.length}; compare fewer at once.`,
    )
  const [first, second, ...others] = words.map((file, at): Side => {
    const written = readReport(resolve(cwd, file))
    const report = withPresentIds(written)
    const name = letters.charAt(at)
    const remarks = noticesOfReport(written).map((sentence) => `${name}: ${sentence}`)
    return { name, file, remarks, report: { ...report, clauses: report.clauses.map(byOperation) } }
  }) as [Side, Side, ...Side[]]
  const comparisons: Comparisons = [
    compareWith(first, second),
    ...others.map((other) => compareWith(first, other)),
  ]
  const [faithful, diverges] = judges[failOn]
  const diverging = comparisons
    .filter(({ compared }) => compared.some(diverges))
    .map(({ sides }) => sides[1].name)
  const judgement = { diverging, word: diverging.length > 0 ? 'DIVERGING' : faithful }
  write('--html', html, cwd, () => htmlOf(comparisons, judgement))
  write('--json', json, cwd, () => jsonOf(comparisons, judgement))
  out.write(textOf(comparisons, judgement))
  return diverging.length > 0 ? 1 : 0
}

function compareWith(first: Side, other: Side): Comparison {
  const known = new Set(first.report.clauses.map(({ id }) => id))
  const isKnown = ({ id }: Facts) => known.has(id)
  const { clauses } = other.report
  if (known.size > 0 && clauses.length > 0 && !clauses.some(isKnown))
    throw new Impossible(
      `${first.file} and ${other.file} have no clause in common; give reports of one suite.`,
    )
  const comparison = comparisonOf([first, other], factsOfSuite().map(byOperation))
  // If nothing was compared, no comparison has a verdict.
  const nothing = `Nothing was compared: no clause is decided in both ${first.file} and ${other.file}`
  if (figuresOf(comparison.compared).compared === 0)
    throw new Impossible([nothing, ...comparison.remarks].join('; '))
  return comparison
}

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
