import { distinctProblems, type Problem, reasonOf } from '../problem.ts'
import type { Met, MetHere } from './report.ts'
import type { Judged } from './run-clauses.ts'

const maxKept = 20

/** What was met of the sentence that one clause owns. */
export type Handed = { reason: string; breaches: Problem[] }

/** The breaches that were handed to a clause, with a reason made of them; undefined: there are none. */
export function handedTo(id: string, met: readonly Met[]): Handed | undefined {
  const own = distinctMet(met.filter(({ owner }) => owner === id))
  if (own.length === 0) return undefined
  return { reason: reasonOf(own), breaches: distinctProblems(own.map(problemOf)) }
}

const problemOf = ({
  owner: _,
  exchanges: __,
  ...problem
}: Met & { exchanges?: unknown }): Problem => problem

/** What was met of clauses that are not among these ids: it travels in the report. */
export function metOfOthers<T extends Met>(met: readonly T[], ids: ReadonlySet<string>): T[] {
  const others = distinctMet(met.filter(({ owner }) => !ids.has(owner)))
  const counts = new Map<string, number>()
  return others.filter(({ owner }) => {
    const count = (counts.get(owner) ?? 0) + 1
    counts.set(owner, count)
    return count <= maxKept
  })
}

function distinctMet<T extends Met>(met: readonly T[]): T[] {
  const bySentence = new Map<string, T>()
  for (const each of met) {
    const key = `${each.owner} ${each.sentence}`
    if (!bySentence.has(key)) bySentence.set(key, each)
  }
  return [...bySentence.values()]
}

/** The clauses with what others met of them: a breach is judged by its owner (rule R9). */
export function withMet(judged: readonly Judged[], met: readonly MetHere[]): Judged[] {
  return judged.map((each) => {
    const { outcome } = each
    const found = outcome.kind === 'broken' ? outcome : handedTo(each.facts.id, met)
    if (!found) return each
    const breaches = found.breaches.map((breach) => withAsker(breach, each, judged))
    return { ...each, outcome: { kind: 'broken', reason: found.reason, breaches } }
  })
}

/** A breach with another clause that asked for what is judged: with it the breach is met again. */
function withAsker(breach: Problem, owner: Judged, judged: readonly Judged[]): Problem {
  const hasAsked = ({ evidence }: Judged) =>
    evidence.some(({ number }) => breach.judged.includes(number))
  const asker = hasAsked(owner) ? undefined : judged.find(hasAsked)
  return asker ? { ...breach, metBy: [asker.facts.id] } : breach
}
