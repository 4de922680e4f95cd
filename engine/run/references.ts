import type { ClauseReport } from './report.ts'

/**
 * Follows every reference of a clause that another one owns the missing fact to its end (rule R7). An
 * owner that failed, warned or is inconclusive settles it. One that was skipped itself hands on its
 * cause and reason. One that passed, that did not run, or that leads back leaves it dangling: nobody
 * has judged the fact.
 */
export function settleReferences(clauses: readonly ClauseReport[]): ClauseReport[] {
  const byId = new Map(clauses.map((clause) => [clause.id, clause]))

  /** What becomes of a reference to one owner, seen from a clause of this level. */
  const follow = (
    id: string,
    level: ClauseReport['level'],
    path: readonly string[],
  ): Partial<ClauseReport> => {
    const owner = byId.get(id)
    if (!owner) return { dangling: `${id}, which owns the missing fact, did not run` }
    if (path.includes(id)) return { dangling: `${[...path, id].join(' refers to ')}: a circle` }
    if (level === 'must' && owner.level !== 'must')
      return { dangling: `it refers to ${id}, which is not a must` }
    if (owner.verdict === 'pass' || owner.verdict === 'observed')
      return { dangling: `${id}, which owns the missing fact, passed` }
    if (owner.verdict !== 'skip') return {}
    if (owner.cause !== 'clause') return { cause: owner.cause, reason: owner.reason }
    return followAll(owner, level, [...path, id])
  }

  /** One owner that judged the fact is enough; else the first that hands on a cause. */
  const followAll = (
    { owners = [] }: ClauseReport,
    level: ClauseReport['level'],
    path: readonly string[],
  ): Partial<ClauseReport> => {
    const ends = owners.map((id) => follow(id, level, path))
    const [none] = [{ dangling: 'it names no clause that owns the missing fact' }]
    const rank = (end: Partial<ClauseReport>) => (end.dangling ? 2 : end.cause ? 1 : 0)
    return ends.toSorted((a, b) => rank(a) - rank(b))[0] ?? none
  }

  return clauses.map((clause) => {
    if (clause.verdict !== 'skip' || clause.cause !== 'clause') return clause
    const end = followAll(clause, clause.level, [clause.id])
    if (end.cause === undefined) return { ...clause, ...end }
    const reason = end.reason === clause.reason ? clause.reason : `${clause.reason} (${end.reason})`
    return { ...clause, cause: end.cause, reason }
  })
}

/** The ids of clauses that others refer to and that did not run. */
export function missingOwners(clauses: readonly { id: string; owners?: string[] }[]): string[] {
  const known = new Set(clauses.map(({ id }) => id))
  const named = clauses.flatMap(({ owners = [] }) => owners)
  return [...new Set(named)].filter((id) => !known.has(id))
}
