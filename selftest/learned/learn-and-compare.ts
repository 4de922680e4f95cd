import type { Report } from '../../engine/run/report.ts'
import { lessonOf } from '../../program/input/lesson.ts'
import { learn } from '../../reference/learn/learn.ts'
import { aspects, notImitated } from '../../reference/learn/table.ts'
import { makeWorld } from '../../reference/world/world.ts'
import { type Comparison, comparisonOf } from '../../reporting/comparison/comparison.ts'
import type { Bent } from '../proofs/fault.ts'
import { runAgainst } from '../proofs/prove.ts'

/** Every clause of the table, in the order of it. */
export const observing = [
  ...new Set([...aspects.flatMap(({ of }) => of), ...Object.keys(notImitated)]),
]

/** The flags of a run of the observing clauses alone. */
export const observingOnly = ['--clauses', observing.join()]

/** What is left of the differences between a service and the mock that was learned from its report. */
export async function learnAndCompare(
  bent: Bent,
  argv: string[] = observingOnly,
): Promise<Comparison & { original: Report }> {
  const original = await reportOn(bent, argv)
  const { open, stated } = learn(lessonOf(original, 'report'), makeWorld(1))
  const mock = await reportOn({ ...surroundingsOf(bent), open, stated }, argv)
  return { ...compared(original, mock), original }
}

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
