import type { MemberFinding } from '../../../engine/findings/member.ts'
import type { Breach, ClauseReport } from '../../../engine/run/report.ts'
import type { Fact } from './cause.ts'
import { explains } from './premises.ts'

/** A broken clause with one of its breaches. */
export type ClauseFact = Fact & { clause: ClauseReport }

type Facts = readonly ClauseFact[]

/** The facts of each cause. What one root explains stands in its group, and in those of other roots that explain it. */
export function factsByCause(facts: Facts): ClauseFact[][] {
  const single = facts.map((fact) => [fact])
  const groups = joined(joined(single, areAlike), areOfTheSameClauses)
  const roots = groups.filter((group) => !groups.some((other) => isRootOf(other, group)))
  const causes = roots.map((root) => [root, ...groupsBehind(root, groups)])
  const rest = groups.filter((group) => !causes.some((cause) => cause.includes(group)))
  return [...causes, ...rest.map((group) => [group])].map((cause) => cause.flat())
}

/** What a root explains, and what that explains in turn. */
function groupsBehind(root: Facts, groups: readonly Facts[]): Facts[] {
  const explained = groups.filter((group) => isRootOf(root, group))
  const others = groups.filter((group) => !explained.includes(group))
  return explained.flatMap((group) => [group, ...groupsBehind(group, others)])
}

/** Where a fact stands in the group of its cause: the root first, what is explained last. */
export function depthOf(fact: ClauseFact, cause: Facts): number {
  if (cause.some((other) => explains(other, fact))) return 2
  return cause.some((other) => explains(fact, other)) ? 0 : 1
}

/** Groups that have something in common become one. */
function joined(
  groups: readonly Facts[],
  areOne: (group: Facts, other: Facts) => boolean,
): Facts[] {
  let result: Facts[] = []
  for (const group of groups) {
    const same = result.filter((other) => areOne(group, other))
    result = [...result.filter((other) => !same.includes(other)), [...same.flat(), ...group]]
  }
  return result
}

const areAlike = (group: Facts, other: Facts): boolean =>
  group.some((fact) => other.some((second) => haveOneCause(fact, second)))

function haveOneCause(fact: ClauseFact, other: ClauseFact): boolean {
  if (fact.symptoms.some(({ key }) => other.symptoms.some((symptom) => symptom.key === key)))
    return true
  return (
    fact.breach !== undefined && other.breach !== undefined && isOneFact(fact.breach, other.breach)
  )
}

/** Whether one of them is about no clause that the other is not about. */
function areOfTheSameClauses(group: Facts, other: Facts): boolean {
  const clauses = new Set(group.map(({ clause }) => clause.id))
  const others = new Set(other.map(({ clause }) => clause.id))
  return [...clauses].every((id) => others.has(id)) || [...others].every((id) => clauses.has(id))
}

/** Where each explains the other, none is the root. */
const isRootOf = (root: Facts, group: Facts): boolean =>
  doExplain(root, group) && !doExplain(group, root)

const doExplain = (root: Facts, group: Facts): boolean =>
  root.some((fact) => group.some((other) => explains(fact, other)))

/** Two clauses find the same in one exchange. */
function isOneFact(a: Breach, b: Breach): boolean {
  if (!a.judged.some((number) => b.judged.includes(number))) return false
  if (a.finding?.kind === 'member' && b.finding?.kind === 'member')
    return isOneMember(a.finding, b.finding)
  if (a.finding?.kind === 'status' && b.finding?.kind === 'status')
    return a.finding.of.status === b.finding.of.status
  return false
}

/** What one body lacks is left out together. */
const isOneMember = (one: MemberFinding, other: MemberFinding): boolean =>
  isWithin(one.member, other.member) ||
  isWithin(other.member, one.member) ||
  (one.got === undefined && other.got === undefined)

const isWithin = (path: string, whole: string): boolean =>
  path === whole || path.startsWith(`${whole}.`)
