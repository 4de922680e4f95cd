import { describe, type TestAPI, type TestContext } from 'vitest'
import type { Exchange } from '../http/exchange.ts'
import type { Observation } from '../observation.ts'
import { outcomeOf } from '../outcome.ts'
import type { Level, Outcome } from '../verdict.ts'
import { choose, declared, declaredIds, withoutBody } from './chosen.ts'
import { provided } from './provided.ts'
import { isWanted, needClausesFor } from './selection.ts'

export type Place = {
  /** the heading of the contract that states it or leaves it open */
  section: string
  operation?: string
  /** the title in reports of a clause without an operation */
  title?: string
  /** the reading of the contract that the clause assumes, where there are several */
  reading?: string
  /** the version of the suite that introduced the clause or its level; default: the first */
  since?: string
}

/** The members of a place that the suite has not given. */
type Left<Said> = Omit<Place, keyof Said> & Partial<Place>

type Judged = { must: string } | { should: string }
type Observed = {
  observe: string
  /** what the value depends on besides the service; reports are compared only where that is equal */
  varies?: string
}

declare module 'vitest' {
  interface TaskMeta {
    clause?: ClauseFacts
    outcome?: Outcome
    evidence?: Exchange[]
    /** what a reader of a pass should know, such as how far writers overlapped */
    note?: string
    /** of the suite that represents the selection: the ids of all clauses */
    declared?: string[]
  }
}

export type ClauseFacts = {
  id: string
  level: Level
  statement: string
  varies?: string
} & Place

/**
 * Creates the function that declares clauses on the givens of a contract. `said` holds what all clauses of
 * a suite have in common; a clause may override it. The function is called twice: with id and law, then
 * with the body.
 */
export function clausesOn<Extra, Said extends Partial<Place> = object>(
  test: TestAPI<Extra>,
  said?: Said,
) {
  type Givens = Extra & TestContext

  type Body<Value> = (givens: Givens) => Promise<Value>

  function clause(id: string, law: Left<Said> & Judged): (body: Body<void>) => void
  function clause(id: string, law: Left<Said> & Observed): (body: Body<Observation>) => void
  /** Declares a clause of the contract: id, level and statement, then its body. */
  function clause(id: string, law: Partial<Place> & (Judged | Observed)) {
    const { section, operation, title, reading, since } = { ...said, ...law } as Place
    const varies = 'varies' in law ? law.varies : undefined
    const place = { section, operation, title, reading, since }
    const facts: ClauseFacts = { id, ...levelOf(law), ...place, varies }
    declared.push(facts)
    declaredIds.push(id)
    withoutBody.add(id)
    return (body: Body<unknown>) => declare(facts, body)
  }

  function declare(facts: ClauseFacts, body: Body<unknown>): void {
    const { id } = facts
    withoutBody.delete(id)
    if (!isWanted(facts, provided('selection'))) return
    choose(id, givensOf(body))

    if (provided('selection').notPermitted?.includes(id)) {
      const reason = 'NOT_PERMITTED declares this clause'
      const outcome: Outcome = { kind: 'undecided', reason, cause: 'setting' }
      test(id, { meta: { clause: facts, outcome } }, () => {})
      return
    }

    const judge = async (given: Givens) => {
      const { meta } = given.task
      try {
        const observed = await body(given)
        meta.outcome = facts.level === 'observe' ? { kind: 'held', observed } : { kind: 'held' }
      } catch (error) {
        meta.outcome = outcomeOf(error)
      }
    }
    // vitest reads the names of the givens from the source text of the function.
    judge.toString = () => body.toString()

    test(id, { meta: { clause: facts } }, judge)
  }

  return clause
}

/** The names of the givens that a body destructures, read from its source text as vitest does. */
function givensOf(body: { toString(): string }): string[] {
  const [, names = ''] = /^[^{]*?\(\s*\{([^}]*)\}/.exec(body.toString()) ?? []
  return names.split(',').map((name) => name.replace(/:.*/s, '').trim())
}

function levelOf(law: Judged | Observed): { level: Level; statement: string } {
  if ('must' in law) return { level: 'must', statement: law.must }
  if ('should' in law) return { level: 'should', statement: law.should }
  return { level: 'observe', statement: law.observe }
}

/**
 * Declares a suite that checks the selection, after all others are loaded. It throws, and nothing runs, if
 * a glob matches no clause or a clause has no body.
 */
export const declareSelection = (): void => {
  describe('the selection', { meta: { declared: declaredIds } }, () => {
    const [id] = withoutBody
    if (id !== undefined)
      throw new Error(`the clause ${id} has no body; give it one: clause(id, law)(body)`)
    needClausesFor(provided('selection'), declared)
  })
}
