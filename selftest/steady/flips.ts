import { isObject } from '../../engine/http/answers.ts'
import type { ClauseReport } from '../../engine/run/report.ts'
import type { Checked } from '../../program/report/finish.ts'
import type { Target } from './targets.ts'

/** The results of a run that are compared. */
export type Sight = {
  schedule: number
  exitCode: number
  requests: number
  /** each decided clause, with its verdict, cause and observed value */
  said: Record<string, string>
  /** the clauses that found a breach, with the reason */
  broken: string[]
  /** the undecided clauses, with the reason */
  unsettled: string[]
}

/** A clause with different results in runs on one unchanged service, and the schedules that show each. */
type Flip = { id: string; said: [string, number[]][] }

/** JSON with the members of objects in order. */
const canonical = (value: unknown) =>
  JSON.stringify(value, (_, inner) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).sort()) : inner,
  )

/** What is kept of a run. */
export function sightOf(
  { report, exitCode }: Checked,
  schedule: number,
  { twofold }: Pick<Target, 'twofold'>,
): Sight {
  const { clauses = [], requests = 0 } = report ?? {}
  const lost = new Set(
    clauses.filter(({ verdict }) => verdict === 'inconclusive').map(({ id }) => id),
  )
  /** A clause that waits for an undecided owner is undecided too. */
  const isLost = ({ id, verdict, owners = [] }: ClauseReport) =>
    lost.has(id) || (verdict === 'skip' && owners.some((owner) => lost.has(owner)))
  const told = ({ verdict, cause, observed, varies }: ClauseReport) => {
    if (cause) return `${verdict}, ${cause}`
    const isCompared = verdict === 'observed' && !varies && !twofold
    return isCompared ? `observed ${canonical(observed)}` : verdict
  }
  const reasonOf = ({ id, reason = '' }: ClauseReport) => `${id}: ${reason.slice(0, 300)}`
  return {
    schedule,
    exitCode,
    requests,
    said: Object.fromEntries(
      clauses.filter((each) => !isLost(each)).map((each) => [each.id, told(each)]),
    ),
    broken: clauses
      .filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
      .map(({ verdict, ...each }) => `${verdict} ${reasonOf({ verdict, ...each })}`),
    unsettled: clauses.filter(isLost).map(reasonOf),
  }
}

/** Each clause with more than one result in the runs on one target; the most usual result comes first. */
export function flipsIn(sights: readonly Sight[]): Flip[] {
  const ids = [...new Set(sights.flatMap(({ said }) => Object.keys(said)))]
  return ids.flatMap((id): Flip[] => {
    const by = new Map<string, number[]>()
    for (const { said, schedule } of sights) {
      const text = said[id]
      if (text !== undefined) by.set(text, [...(by.get(text) ?? []), schedule])
    }
    const said = [...by].sort(([, one], [, other]) => other.length - one.length)
    return said.length > 1 ? [{ id, said }] : []
  })
}
