import type { Selection } from '../clause/selection.ts'
import { grouped } from '../grouped.ts'
import { brokenBy } from '../outcome.ts'
import { keyOf, type Problem } from '../problem.ts'
import type { ClauseReport, MetHere } from './report.ts'
import type { Clauses, Judged } from './run-clauses.ts'

/** Owners may refer to owners. A longer chain is a defect of the suite, and dangles. */
const maxRounds = 4

export type WithOwners = Clauses & {
  owners: string[]
}

/** Runs the selected clauses, then the owners of what these left undecided or met. */
export async function runWithOwners(
  run: (selection: Selection, before: Clauses | undefined) => Promise<Clauses>,
  selection: Selection,
  stop: AbortSignal,
): Promise<WithOwners> {
  const { notPermitted } = selection
  let found = await run(selection, undefined)
  const { declared } = found
  const owners: string[] = []
  for (let round = 1; round <= maxRounds && !stop.aborted; round += 1) {
    const only = missingOwners(found.judged, found.met).filter((id) => declared.includes(id))
    if (only.length === 0) break
    const more = await run({ clauses: [], required: [], only, notPermitted }, found).catch(crashed)
    owners.push(...more.judged.map(({ facts }) => facts.id))
    found = {
      judged: [...found.judged, ...more.judged].toSorted(
        (a, b) => declared.indexOf(a.facts.id) - declared.indexOf(b.facts.id),
      ),
      errors: [...found.errors, ...more.errors],
      declared,
      met: [...found.met, ...more.met],
    }
    if (more.judged.length === 0) break
  }
  return { ...found, owners }
}

const crashed = (error: unknown): Omit<Clauses, 'declared'> => ({
  judged: [],
  errors: [error instanceof Error ? error.message : String(error)],
  met: [],
})

function missingOwners(judged: readonly Judged[], met: readonly MetHere[]): string[] {
  const named = [
    ...judged.flatMap(({ outcome }) => ('owners' in outcome && outcome.owners) || []),
    ...met.map(({ owner }) => owner),
  ]
  const known = new Set(judged.map(({ facts }) => facts.id))
  return [...new Set(named)].filter((id) => !known.has(id))
}

function metByOwner(met: readonly MetHere[]): Map<string, MetHere[]> {
  const firsts = [...grouped(met, (breach) => `${breach.owner} ${keyOf(breach)}`).values()]
  return grouped(
    firsts.flatMap(([first]) => first ?? []),
    ({ owner }) => owner,
  )
}

const maxKept = 20

export const metOfOthers = (met: readonly MetHere[], ids: ReadonlySet<string>): MetHere[] =>
  [...metByOwner(met)].flatMap(([owner, own]) => (ids.has(owner) ? [] : own.slice(0, maxKept)))

export function withMet(judged: readonly Judged[], met: readonly MetHere[]): Judged[] {
  const handed = metByOwner(met)
  return judged.map((each) => {
    const { outcome } = each
    const own = handed.get(each.facts.id)
    const handedBreaches = own && brokenBy(own.map(problemOf))
    const broken = outcome.kind === 'broken' ? outcome : handedBreaches
    if (!broken) return each
    const breaches = broken.breaches.map((breach) => withAsker(breach, each, judged))
    return { ...each, outcome: { ...broken, breaches } }
  })
}

const problemOf = ({ owner: _, exchanges: __, ...problem }: MetHere): Problem => problem

/** Running the clause that asked meets the breach again. */
function withAsker(breach: Problem, owner: Judged, judged: readonly Judged[]): Problem {
  const hasAsked = ({ evidence }: Judged) =>
    evidence.some(({ number }) => breach.judged.includes(number))
  const asker = hasAsked(owner) ? undefined : judged.find(hasAsked)
  return asker ? { ...breach, metBy: [asker.facts.id] } : breach
}

type End = Pick<ClauseReport, 'cause' | 'reason' | 'declare' | 'settings' | 'missing' | 'dangling'>

const unnamed: End = { dangling: 'it names no clause that owns the missing fact' }

/**
 * Follows each reference to its end. A broken or inconclusive owner settles it, a skipped one passes on its
 * cause; one that passed, did not run or refers back leaves it dangling.
 */
export function settleReferences(clauses: readonly ClauseReport[]): ClauseReport[] {
  const byId = new Map(clauses.map((clause) => [clause.id, clause]))

  /** What an owner says itself; undefined if it refers to others. */
  const endAt = (id: string, level: ClauseReport['level'], path: string[]): End | undefined => {
    const owner = byId.get(id)
    if (!owner) return { dangling: `${id}, which owns the missing fact, did not run` }
    if (path.includes(id)) return { dangling: `${[...path, id].join(' refers to ')}: a circle` }
    const isBroken = owner.verdict === 'fail' || owner.verdict === 'warn'
    if (level === 'must' && owner.level !== 'must' && !isBroken)
      return { dangling: `it refers to ${id}, which is not a must` }
    if (owner.verdict === 'pass' || owner.verdict === 'observed')
      return { dangling: `${id}, which owns the missing fact, passed` }
    if (refers(owner)) return undefined
    const { cause, reason, declare, settings, missing } = owner
    if (cause === undefined) return {}
    return {
      cause,
      reason,
      ...(declare ? { declare } : {}),
      ...(settings ? { settings } : {}),
      ...(missing ? { missing } : {}),
    }
  }

  /** A clause without an end is not followed twice. */
  const firstEnd = (from: ClauseReport, isWanted: (end: End) => boolean): End | undefined => {
    const followed = new Set<string>()
    const follow = ({ owners = [] }: ClauseReport, path: string[]): End | undefined => {
      for (const id of owners) {
        const end = endAt(id, from.level, path)
        if (end && isWanted(end)) return end
        if (end || followed.has(id)) continue
        followed.add(id)
        const further = follow(byId.get(id) as ClauseReport, [...path, id])
        if (further) return further
      }
      return undefined
    }
    return follow(from, [from.id])
  }

  /** One owner that judged the fact is enough; otherwise the first that passes on a cause. */
  const endOf = (clause: ClauseReport): End =>
    firstEnd(clause, ({ dangling, cause }) => !dangling && !cause) ??
    firstEnd(clause, ({ dangling }) => !dangling) ??
    firstEnd(clause, () => true) ??
    unnamed

  return clauses.map((clause) => {
    if (!refers(clause)) return clause
    const end = endOf(clause)
    const { reason = '' } = clause
    // A reason that both have is said once.
    const [own, handed] = new Set([reason, end.reason ?? ''])
    return { ...clause, cause: 'clause', ...end, reason: handed ? `${own} (${handed})` : reason }
  })
}

const refers = ({ cause }: ClauseReport): boolean => cause === 'clause'
