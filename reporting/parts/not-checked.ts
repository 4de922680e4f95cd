import type { ClauseReport } from '../../engine/run/report.ts'
import { groupedBy } from './grouped-by.ts'

export type NotChecked = { why: string; ids: string[] }

/** What was not checked: by the setting that is missing where one is, else by the reason. */
export function notChecked(clauses: readonly ClauseReport[]): NotChecked[] {
  const open = clauses.filter(({ verdict }) => verdict === 'skip' || verdict === 'inconclusive')
  return [...groupedBy(open, keyOf).values()].map((group) => ({
    why: group[0] ? told(group[0]) : '',
    ids: group.map(({ id }) => id),
  }))
}

const told = ({ verdict, reason = '' }: ClauseReport) => `${verdict}: ${reason.split('\n')[0]}`

/** A setting may be asked for in several ways: to have users, or to have two of them. */
function keyOf(clause: ClauseReport): string {
  const [setting] =
    /^set [A-Z][A-Z_]+((, | or | and )[A-Z][A-Z_]+)*/.exec(clause.reason ?? '') ?? []
  return setting ?? told(clause)
}
