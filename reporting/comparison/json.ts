import { type Comparison, incomparable, type Judgement } from './comparison.ts'
import { targetOf } from './remarks.ts'
import { differenceTold, proofsOf } from './words.ts'

/** A comparison for programs. */
export function jsonOf(comparison: Comparison, { diverging, word }: Judgement): string {
  const { names, reports, remarks, figures, compared } = comparison
  const value = {
    comparisonVersion: 1,
    verdict: word,
    diverging,
    sides: reports.map((report, at) => ({
      name: names[at],
      target: targetOf(report),
      startedAt: report.startedAt,
      suiteVersion: report.suiteVersion,
      verdict: report.verdict,
    })),
    notices: remarks,
    figures,
    differences: comparison.differences.map((each) => ({
      ...each.facts,
      grade: each.grade,
      told: differenceTold(each, names),
      evidence: proofsOf(each, reports, names),
    })),
    notComparable: incomparable(comparison),
    clauses: compared.map(({ facts, outcome, why, sides }) => ({
      id: facts.id,
      outcome,
      ...(why === undefined ? {} : { why }),
      sides: sides.map((side) =>
        side ? { verdict: side.verdict, reason: side.reason, observed: side.observed } : null,
      ),
    })),
  }
  return `${JSON.stringify(value, null, 1)}\n`
}
