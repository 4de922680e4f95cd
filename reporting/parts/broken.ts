import { type Report, toldVerdict } from '../../engine/run/report.ts'

/** A breach that somebody has to look at, in a sentence; one that is waived is none. */
export type Broken = { id: string; isFailure: boolean; sentence: string }

/** The clauses that are broken, failures first. */
export function brokenIn({ clauses }: Pick<Report, 'clauses'>): Broken[] {
  const broken = clauses
    .filter((clause) => ['fail', 'warn'].includes(toldVerdict(clause)))
    .map(({ id, verdict, statement, reason = '' }) => ({
      id,
      isFailure: verdict === 'fail',
      sentence: `${id}: ${reason.split('\n')[0] || statement}`,
    }))
  return [...broken.filter((each) => each.isFailure), ...broken.filter((each) => !each.isFailure)]
}
