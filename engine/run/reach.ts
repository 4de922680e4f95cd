import { type Area, type Cause, isDecided, undecidedAreas } from '../verdict.ts'
import type { ClauseReport } from './report.ts'

const needs: Record<Cause, (count: number) => string> = {
  setting: (count) => (count === 1 ? '1 needs a setting' : `${count} need a setting`),
  data: (count) => (count === 1 ? '1 needs data' : `${count} need data`),
  freedom: (count) => `${count} the service leaves open`,
  refused: (count) => (count === 1 ? '1 was refused' : `${count} were refused`),
  clause: (count) =>
    count === 1 ? '1 waits for another clause' : `${count} wait for other clauses`,
}

/** How far a verdict reaches: "131 of 138 musts; 7 not checked (5 need a setting, 2 …)". */
export function describeReach(clauses: readonly ClauseReport[]): string {
  const musts = clauses.filter(({ level }) => level === 'must')
  const open = musts.filter((clause) => !isDecided(clause))
  const decided = `${musts.length - open.length} of ${musts.length} musts`
  if (open.length === 0) return decided
  const lost = open.filter(({ verdict }) => verdict === 'inconclusive').length
  const parts = (Object.keys(needs) as Cause[]).flatMap((cause) => {
    const count = open.filter((clause) => clause.cause === cause).length
    return count > 0 ? [needs[cause](count)] : []
  })
  const why = [...(lost > 0 ? [`${lost} inconclusive`] : []), ...parts]
  return `${decided}; ${open.length} not checked (${why.join(', ')})`
}

/** Sentences on what keeps a run without failures from being conformant. */
export function problemsOfReach(
  clauses: readonly ClauseReport[],
  areas: readonly Area[],
): string[] {
  const refused = clauses.filter(({ level, cause }) => level === 'must' && cause === 'refused')
  return [
    ...undecidedAreas(clauses, areas).map(
      ({ name }) => `nothing was decided of the area ${name}, though its settings are given`,
    ),
    ...[...groupedByReason(refused)].map(
      ([reason, ids]) =>
        `refused, so that ${listOf(ids)} could not be checked: ${reason}; correct the setting, or declare NOT_PERMITTED=${ids.join(',')}`,
    ),
    ...clauses.flatMap(({ id, dangling }) =>
      dangling ? [`${id} was not checked, and nobody else judged it: ${dangling}`] : [],
    ),
  ]
}

const groupedByReason = (clauses: readonly ClauseReport[]): Map<string, string[]> => {
  const groups = new Map<string, string[]>()
  for (const { id, reason = '' } of clauses) {
    const line = reason.split('\n')[0] ?? ''
    groups.set(line, [...(groups.get(line) ?? []), id])
  }
  return groups
}

const listOf = (ids: readonly string[]) =>
  ids.length > 3 ? `${ids.slice(0, 3).join(', ')} and ${ids.length - 3} more` : ids.join(', ')
