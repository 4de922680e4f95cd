import { matchesAny } from '../../engine/glob.ts'
import type { Contract } from '../../engine/run/contract.ts'
import type { ClauseReport } from '../../engine/run/report.ts'

/** The contract's sentences that a clause checks, those of its section first. */
export function quotesOf(
  { id, section }: Pick<ClauseReport, 'id' | 'section'>,
  { sentences }: Pick<Contract, 'sentences'>,
) {
  const all = Object.entries(sentences).flatMap(([heading, within]) =>
    within.flatMap((each) =>
      'says' in each && 'clauses' in each && matchesAny(id, each.clauses)
        ? [{ says: each.says, section: heading }]
        : [],
    ),
  )
  return all.sort((a, b) => Number(b.section === section) - Number(a.section === section))
}
