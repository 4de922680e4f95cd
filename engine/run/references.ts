import type { ClauseReport, Met } from './report.ts'
import type { Judged } from './run-clauses.ts'

/** What becomes of a reference: nothing more where the owner judged the fact. */
type End = Pick<ClauseReport, 'cause' | 'reason' | 'declare' | 'dangling'>

/**
 * Follows every reference of a clause that another one owns the missing fact to its end (rule R7). An
 * owner that failed, warned or is inconclusive settles it. One that was skipped itself hands on its
 * cause and reason. One that passed, that did not run, or that leads back leaves it dangling: nobody
 * has judged the fact.
 */
export function settleReferences(clauses: readonly ClauseReport[]): ClauseReport[] {
  const byId = new Map(clauses.map((clause) => [clause.id, clause]))

  /** What becomes of a reference to one owner, seen from a clause of this level. */
  const follow = (id: string, level: ClauseReport['level'], path: readonly string[]): End => {
    const owner = byId.get(id)
    if (!owner) return { dangling: `${id}, which owns the missing fact, did not run` }
    if (path.includes(id)) return { dangling: `${[...path, id].join(' refers to ')}: a circle` }
    if (level === 'must' && owner.level !== 'must')
      return { dangling: `it refers to ${id}, which is not a must` }
    if (owner.verdict === 'pass' || owner.verdict === 'observed')
      return { dangling: `${id}, which owns the missing fact, passed` }
    if (owner.verdict !== 'skip') return {}
    if (refers(owner)) return followAll(owner, level, [...path, id])
    const { cause, reason, declare } = owner
    return cause === undefined ? {} : { cause, reason, ...(declare ? { declare } : {}) }
  }

  /** One owner that judged the fact is enough; else the first that hands on a cause. */
  const followAll = (
    { owners = [] }: ClauseReport,
    level: ClauseReport['level'],
    path: readonly string[],
  ): End => {
    const ends = owners.map((id) => follow(id, level, path))
    const none: End = { dangling: 'it names no clause that owns the missing fact' }
    const rank = ({ dangling, cause }: End) => (dangling ? 2 : cause ? 1 : 0)
    return ends.toSorted((a, b) => rank(a) - rank(b))[0] ?? none
  }

  return clauses.map((clause) => {
    if (!refers(clause)) return clause
    const end = followAll(clause, clause.level, [clause.id])
    return { ...clause, cause: 'clause', ...end, ...withReason(clause, end) }
  })
}

const refers = ({ verdict, cause, owners }: ClauseReport): boolean =>
  verdict === 'skip' && (cause === 'clause' || owners !== undefined)

/** The reason of a clause, with the one that it was handed. */
function withReason({ reason = '' }: ClauseReport, end: End): Pick<ClauseReport, 'reason'> {
  const handed = end.reason ?? ''
  return { reason: reason.includes(handed) ? reason : `${reason} (${handed})` }
}

/** The ids of clauses that own what others left undecided or met, and that did not run. */
export function missingOwners(judged: readonly Judged[], met: readonly Met[]): string[] {
  const known = new Set(judged.map(({ facts }) => facts.id))
  const named = [
    ...judged.flatMap(({ outcome }) =>
      outcome.kind === 'undecided' ? (outcome.owners ?? []) : [],
    ),
    ...met.map(({ owner }) => owner),
  ]
  return [...new Set(named)].filter((id) => !known.has(id))
}
