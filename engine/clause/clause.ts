import { describe, type TaskMeta, test } from 'vitest'
import type { Exchange } from '../http/exchange.ts'
import { brokenBy, NotDecidable, outcomeOf, toChange } from '../outcome.ts'
import type { Level, Outcome } from '../verdict.ts'
import { valueIn } from './case.ts'
import { choose, provided } from './chosen.ts'
import { ClauseRun, type GivensOfRun, give } from './given.ts'
import {
  type Cases,
  casesOf,
  type Judging,
  type Looking,
  type Rests,
  restsOf,
  rule,
  witnessOf,
} from './law.ts'
import { isWanted, needClausesFor } from './selection.ts'

type Place = {
  /** the heading of the contract that states it or leaves it open */
  section: string
  operation?: string
  /** the title in reports of a clause without an operation */
  title?: string
  reading?: string
  since?: string
}

type Left<Said> = Omit<Place, keyof Said> & Partial<Place>

type Judged = { must: string } | { should: string }
type Observed = {
  observe: string
  /** what the value depends on besides the service */
  varies?: string
}

declare module 'vitest' {
  interface TaskMeta {
    clause?: ClauseFacts
    outcome?: Outcome
    evidence?: Exchange[]
    rests?: Rests
    note?: string
    /** the ids of all clauses, on the suite that checks the selection */
    declared?: string[]
  }
}

export type ClauseFacts = {
  id: string
  level: Level
  statement: string
  varies?: string
} & Place

type Ask<Given, Case> = (given: Given) => Cases<Case> | Promise<Cases<Case>>

/** Names the givens of a clause, and how it asks with them: the body gets these and no others. */
type Asking<Givens, Case> = <Name extends keyof Givens & string>(
  givens: readonly Name[],
  ask: Ask<Pick<Givens, Name>, Case>,
) => void

export type Noted<Givens> = {
  facts: ClauseFacts
  judging: Judging<never> | Looking<never>
  givens: readonly (keyof Givens & string)[]
  /** none until the clause says how it asks */
  judge?: (clause: ClauseRun, givens: GivensOfRun<Givens>) => Promise<Outcome>
}

/**
 * Creates the function that notes clauses on givens, called twice: with id and law, then with the names of its
 * givens and the body. `said` is what all clauses of a suite have in common.
 */
export function createClauses<Givens>() {
  const clauses = new Map<string, Noted<Givens>>()

  const clausesOf = <Said extends Partial<Place> = object>(said?: Said) => {
    function clause<Case extends object>(
      id: string,
      law: Left<Said> & Judged & Judging<Case>,
    ): Asking<Givens, Case>
    function clause<Case extends object>(
      id: string,
      law: Left<Said> & Observed & Looking<Case>,
    ): Asking<Givens, Case>
    function clause<Case extends object>(
      id: string,
      law: Partial<Place> & ((Judged & Judging<Case>) | (Observed & Looking<Case>)),
    ): Asking<Givens, Case> {
      const noted: Noted<Givens> = {
        facts: factsOf(id, { ...said, ...law }),
        judging: law,
        givens: [],
      }
      clauses.set(id, noted)
      return (names, ask) => {
        noted.givens = names
        noted.judge = (clause, givens) => {
          const cases = async () => ask(await give(givens.makersFor(clause), names))
          return judgedBy(law, cases, clause.meta)
        }
      }
    }
    return clause
  }

  return { clauses, clausesOf }
}

function factsOf(id: string, said: Partial<Place> & (Judged | Observed)): ClauseFacts {
  const { section = '', operation, title, reading, since } = said
  const varies = 'varies' in said ? said.varies : undefined
  return { id, ...levelOf(said), section, operation, title, reading, since, varies }
}

function levelOf(law: Judged | Observed): { level: Level; statement: string } {
  if ('must' in law) return { level: 'must', statement: law.must }
  if ('should' in law) return { level: 'should', statement: law.should }
  return { level: 'observe', statement: law.observe }
}

/** Declares the selected clauses, then a suite that checks the selection. */
export function declareClauses<Givens>(
  givens: GivensOfRun<Givens>,
  inOrder: readonly Noted<Givens>[],
): void {
  for (const noted of inOrder) declare(givens, noted)
  const all = inOrder.map(({ facts }) => facts)
  describe('the selection', { meta: { declared: all.map(({ id }) => id) } }, () => {
    const bare = inOrder.find(({ judge }) => !judge)
    if (bare) throw new Error(`${bare.facts.id}: write clause(id, law)([givens], body)`)
    needClausesFor(provided('selection'), all)
  })
}

function declare<Givens>(givens: GivensOfRun<Givens>, noted: Noted<Givens>): void {
  const { facts, judge } = noted
  const selection = provided('selection')
  if (!judge || !isWanted(facts, selection)) return
  if (selection.notPermitted?.includes(facts.id)) {
    const why = toChange('NOT_PERMITTED', 'NOT_PERMITTED declares this clause')
    const outcome = outcomeOf(new NotDecidable(...why))
    test(facts.id, { meta: { clause: facts, outcome } }, () => {})
    return
  }

  choose(facts.id, noted.givens)
  test(facts.id, { meta: { clause: facts } }, async ({ task, onTestFinished }) => {
    const clause = new ClauseRun(facts, task.meta)
    onTestFinished(() => clause.end())
    clause.meta.outcome = await judge(clause, givens)
  })
}

async function judgedBy<Case extends object>(
  judging: Judging<Case> | Looking<Case>,
  ask: () => Promise<Cases<Case>>,
  meta: TaskMeta,
): Promise<Outcome> {
  try {
    const cases = await ask()
    if ('look' in judging) {
      const [first, ...others] = await casesOf(cases, judging.none)
      meta.rests = restsOf([first, ...others])
      return { kind: 'held', observed: judging.look([valueIn(first), ...others.map(valueIn)]) }
    }
    const { problems, decided } = await rule(cases, judging)
    if (problems.length > 0) return brokenBy(problems)
    meta.rests = restsOf(decided)
    meta.note = witnessOf(judging, decided)
    return { kind: 'held' }
  } catch (error) {
    return outcomeOf(error)
  }
}
