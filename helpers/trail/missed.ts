import { distinct } from '../../engine/distinct.ts'
import { exchangesOf } from '../../engine/origin.ts'
import { isUuid } from '../../engine/settings/parsers.ts'
import { type PollLimits, poll } from '../../engine/time/polling.ts'
import { needCsv } from '../export/ask/exports.ts'
import { eachLater, mergeQueries } from '../export/ask/query.ts'
import { valuesIn } from '../export/learn/columns.ts'
import type { Filters } from '../export/learn/filters.ts'
import { unlessUndecided } from '../export/learn/ranges.ts'
import { commentTaken } from './mails.ts'
import { lateMsOf, type Trail } from './sequence-events.ts'
import { showsWhole } from './traces.ts'

/** `files`: the exchanges of the files that should show it */
export type Missed = { named: string; files: readonly number[] }

type Asked = Pick<PollLimits, 'stop' | 'waiting'> & {
  actor: string | undefined
  openFilters: () => Promise<Filters>
}

/** In the form in which the filter is known to select other events; undefined: no such form is known. */
export async function askMissed(
  trail: Trail,
  { actor, stop, waiting, openFilters }: Asked,
): Promise<Missed | undefined> {
  const { assigner, assignee } = trail.foundWith
  const comments = trail.updates.flatMap((step) => commentTaken(step) ?? []).filter(trail.shows)
  const isOpen = assigner + assignee > 0 || !trail.complete || comments.length === 0
  if (isOpen || actor === undefined) return undefined
  const filters = await openFilters().catch(unlessUndecided)
  const known = await filters?.known('auditee_id')
  if (!filters || !known?.length) return undefined
  const { exports } = filters
  const showsOne = (row: readonly string[]) => comments.some((comment) => showsWhole(row, comment))
  const byActor = mergeQueries(trail.query, { filters: { auditee_id: [actor] } })
  // Other bounds than the trail was asked for: a file of those may have been kept.
  const start = new Date(Date.parse(trail.query.start ?? '') - 1000).toISOString()
  const later = eachLater({ ...byActor, start })
  const look = () => exports.csvFile(later())
  const limits = { limitMs: lateMsOf(trail), stop, firstMs: 100, waiting }
  const { last, met } = await poll(look, ({ records }) => records.some(showsOne), limits)
  if (met) return undefined
  const shown = needCsv(await exports.csv(trail.query))
  const source = await filters.column('auditee_id')
  const named = shown.records.filter(showsOne).flatMap((row) => {
    return source ? valuesIn(row[source.column] ?? '', source.field, source.form) : []
  })
  // A word, such as for the system, may mean any user.
  if (!named.every(isUuid)) return undefined
  return { named: distinct(named).join(', '), files: exchangesOf(last, shown) }
}
