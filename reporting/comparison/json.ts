import { targetOf } from '../../engine/run/report.ts'
import type { Comparison, Judgement } from './comparison.ts'
import { figuresOf, fiveLines } from './figures.ts'

export function jsonOf(
  { sides, remarks, rows, notCompared }: Comparison,
  { diverging, word }: Judgement,
): string {
  const value = {
    comparisonVersion: 3,
    verdict: word,
    diverging,
    sides: sides.map(({ name, file, report, compared }) => ({
      name,
      file,
      target: targetOf(report),
      startedAt: report.startedAt,
      suiteVersion: report.suiteVersion,
      verdict: report.verdict,
      // For all but the first, which is the reference.
      ...(name !== 'A' && {
        figures: figuresOf(compared),
        summary: fiveLines(compared, ['A', name]),
        clauses: compared.map(({ facts: { id }, outcome, why, grade }) => ({
          id,
          outcome,
          why,
          grade,
        })),
      }),
    })),
    notices: remarks,
    differences: rows.map(({ facts, heading, cause, lines, proofs }) => ({
      ...facts,
      ...{ heading, cause, lines, evidence: proofs },
    })),
    notCompared: notCompared.map(({ why, clauses }) => ({
      why,
      ids: clauses.map(({ facts }) => facts.id),
    })),
  }
  return `${JSON.stringify(value, null, 1)}\n`
}
