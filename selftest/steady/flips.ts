import { isObject } from '../../engine/http/answers.ts'
import type { ClauseReport } from '../../engine/run/report.ts'
import type { Checked } from '../../program/report/finish.ts'
import type { Target } from './targets.ts'

export type Sight = ReturnType<typeof sightOf>

/** A clause with different results in runs on one unchanged service, and the schedules that show each. */
type Flip = { id: string; said: [string, number[]][] }

/** JSON with the members of objects in order. */
const canonical = (value: unknown) =>
  JSON.stringify(value, (_, inner) =>
    isObject(inner) ? Object.fromEntries(Object.entries(inner).sort()) : inner,
  )

/** The results of a run that are compared. */
export function sightOf(
  { report, exitCode }: Checked,
  schedule: number,
  { twofold }: Pick<Target, 'twofold'>,
) {
  const { clauses = [] } = report ?? {}
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
    /** each decided clause, with its verdict, cause and observed value */
    said: Object.fromEntries<string>(
      clauses.filter((each) => !isLost(each)).map((each) => [each.id, told(each)]),
    ),
    /** the clauses that found a breach, with the reason */
    broken: clauses
      .filter(({ verdict }) => verdict === 'fail' || verdict === 'warn')
      .map(({ verdict, ...each }) => `${verdict} ${reasonOf({ verdict, ...each })}`),
    /** the undecided clauses, with the reason */
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
