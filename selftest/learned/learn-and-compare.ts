import type { Report } from '../../engine/run/report.ts'
import { aspects, notImitated } from '../../reference/learn/table.ts'
import { type Comparison, comparisonOf } from '../../reporting/comparison/comparison.ts'
import type { Bent } from '../proofs/fault.ts'
import { runAgainst } from '../proofs/prove.ts'

/** Every clause of the table, in the order of it. */
export const observing = [
  ...new Set([...aspects.flatMap(({ of }) => of), ...Object.keys(notImitated)]),
]

/** The flags of a run of the observing clauses alone. */
export const observingOnly = ['--clauses', observing.join()]

/** The report of a run against the reference service with these rules bent. */
export async function reportOn(bent: Bent, argv: string[] = observingOnly): Promise<Report> {
  const { report, output } = await runAgainst(bent, argv, { makers: {} })
  if (!report) throw new Error(`no report: ${output}`)
  return report
}

/** How many events there are and what the run waits for is no choice of the service. */
export const surroundingsOf = ({ events, env, pdfLimit }: Bent): Bent => ({ events, env, pdfLimit })

export const compared = (one: Report, other: Report): Comparison =>
  comparisonOf(one, other, { manifest: [], names: ['service', 'mock'] })
