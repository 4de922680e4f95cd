// from the table that `npm run costs` records

import { type ProfileName, profileNames, profiles } from '../helpers/settings/profiles.ts'
import type { Settings } from '../helpers/settings/table.ts'

/** Requests, exports among them, updates sent, and updates accepted: to users, to teams, to nobody. */
export const names = ['requests', 'exports', 'updates', 'toUsers', 'toTeams', 'toNobody'] as const

export type Cost = Record<(typeof names)[number], number>

/** Requests in the evidence of the same clauses; clauses are indexes into the list. */
type Group = [clauses: number[], ...cost: number[]]

export type Costs = {
  clauses: string[]
  groups: Group[]
  contact: number[]
  /** requests of no clause: reads and updates that put tasks back, and looks for late effects */
  unattributed: number[]
  profiles: Record<ProfileName, number[]>
  each: Record<'tasks' | 'readTasks' | 'assessments', { recorded: number; cost: number[] }>
  /** `A|B`: without any of these; `!X`: READ_ONLY, or NOT_PERMITTED=X */
  needs: { setting: string; reason: string; clauses: number[] }[]
}

type Row = readonly number[]

const sum = (rows: readonly Row[]): Row =>
  names.map((_, at) => rows.reduce((total, row) => total + (row[at] ?? 0), 0))

const times = (row: Row, factor: number): Row => row.map((number) => number * factor)

export function skippedBy({ needs, clauses }: Costs, isSet: (setting: string) => boolean) {
  const skipped = new Map<string, string>()
  for (const { setting, reason, clauses: ids } of needs)
    if (!isSet(setting)) for (const at of ids) skipped.set(clauses[at] ?? '', reason)
  return skipped
}

/**
 * Shared requests count once. A profile that reads only a few ids costs at most what was recorded, however
 * many ids are set.
 */
export function costFor(
  costs: Costs,
  wanted: readonly string[],
  counts: Record<keyof Costs['each'], number>,
  profile: ProfileName = 'full',
): Cost {
  if (profile === 'smoke') return asCost(costs.profiles.smoke)
  const places = new Map(costs.clauses.map((id, at) => [id, at]))
  const chosen = new Set(wanted.flatMap((id) => places.get(id) ?? []))
  const groups = costs.groups.filter(([clauses]) => clauses.some((at) => chosen.has(at)))
  const own = sumOf(groups)
  const share = acceptedIn(own) / Math.max(1, acceptedIn(sumOf(costs.groups)))
  const part = chosen.size / Math.max(1, costs.clauses.length)
  const further = Object.entries(costs.each).map(([name, { recorded, cost }]) =>
    times(cost, (counts[name as keyof Costs['each']] - recorded) * part),
  )
  return asCost(sum([own, costs.contact, times(costs.unattributed, share), ...further]))
}

const asCost = (row: Row) =>
  Object.fromEntries(names.map((name, at) => [name, Math.max(0, Math.round(row[at] ?? 0))])) as Cost

export function profileLines({ profiles: recorded }: Costs): string[] {
  const rows = profileNames.map((name) => {
    const { requests, exports, toUsers, toTeams, toNobody } = asCost(recorded[name])
    const figures = [requests, toUsers + toTeams + toNobody, exports]
    const cells = figures.map((each) => each.toLocaleString('en').padStart(8))
    return `  ${name.padEnd(8)}${cells.join(' ')}  ${profiles[name].meaning}`
  })
  return ['  profile  requests  updates  exports  on the reference service', ...rows]
}

const sumOf = (groups: readonly Group[]) => sum(groups.map(([, ...cost]) => cost))

const acceptedIn = (row: Row) => row.slice(names.indexOf('toUsers')).reduce((a, b) => a + b, 0)

export const countsIn = ({ taskIds, readTaskIds, assessmentIds }: Settings) => ({
  tasks: taskIds.length,
  readTasks: readTaskIds.length,
  assessments: assessmentIds.length,
})
