import { inject } from 'vitest'
import { type Givens, test } from '../../helpers/givens.ts'
import { matchesAny } from '../glob.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Observation } from '../observation.ts'
import { outcomeOf } from '../outcome.ts'
import type { Level, Outcome } from '../verdict.ts'
import { chosen } from './chosen.ts'
import { falls } from './shard.ts'

type Place = {
  /** heading of the contract that states it, or leaves it open */
  section: string
  /** id of the operation; left out: that of the suite */
  operation?: string
  /** the reading of the contract that the clause rests on, where it is not the only one */
  reading?: string
}

type Judged = (Place & { must: string }) | (Place & { should: string })
type Observed = Place & {
  observe: string
  /** with what the value varies though the service stays as it is: it is compared where it is equal */
  varies?: string
}

declare module 'vitest' {
  interface TaskMeta {
    clause?: ClauseFacts
    outcome?: Outcome
    evidence?: Exchange[]
    /** what a reader of a pass should know, such as how much writers overlapped */
    note?: string
    /** of the suite that stands for the selection: the ids of all clauses, chosen or not */
    declared?: string[]
  }
}

/** What is known of a clause before it runs. */
export type ClauseFacts = {
  id: string
  level: Level
  statement: string
  section: string
  operation?: string
  reading?: string
  varies?: string
}

/** The ids of all clauses, whether or not they are to run. */
export const declared: string[] = []

/**
 * Called when all suites are loaded: a glob that matches nothing would check less than somebody
 * thinks, so nothing is run.
 */
export function expectGlobsToMatch(): void {
  const { clauses, required } = inject('run')
  const idle = [...clauses, ...required].filter(
    (glob) => !declared.some((id) => matchesAny(id, [glob])),
  )
  const left = declared.filter(
    (id) => matchesAny(id, required) && clauses.length > 0 && !matchesAny(id, clauses),
  )
  const sentence =
    idle.length > 0
      ? `${idle.join(', ')} matches no clause: npm run clauses lists the ids.`
      : `${left[0]} is required, but --clauses leaves it out.`
  if (idle.length > 0 || left.length > 0)
    throw Object.assign(new Error(sentence), { name: 'NoSuchClause' })
}

/** Declares a clause of the contract: its id, its level and statement, and the check. */
export function clause(id: string, law: Judged, body: (givens: Givens) => Promise<void>): void
export function clause(
  id: string,
  law: Observed,
  body: (givens: Givens) => Promise<Observation>,
): void
export function clause(
  id: string,
  law: Judged | Observed,
  body: (givens: Givens) => Promise<unknown>,
): void {
  declared.push(id)
  if (!isChosen(id, body)) return
  chosen.add(id)

  const { section, operation, reading } = law
  const varies = 'varies' in law ? law.varies : undefined
  const facts: ClauseFacts = { id, ...levelOf(law), section, operation, reading, varies }

  const judge = async (givens: Givens) => {
    const { meta } = givens.task
    try {
      const observed = await body(givens)
      meta.outcome = facts.level === 'observe' ? { kind: 'held', observed } : { kind: 'held' }
    } catch (error) {
      meta.outcome = outcomeOf(error)
    }
  }
  // vitest reads the names of the wanted givens off the source text of the function.
  judge.toString = () => body.toString()

  test(id, { meta: { clause: facts } }, judge)
}

function levelOf(law: Judged | Observed): { level: Level; statement: string } {
  if ('must' in law) return { level: 'must', statement: law.must }
  if ('should' in law) return { level: 'should', statement: law.should }
  return { level: 'observe', statement: law.observe }
}

function isChosen(id: string, body: (givens: Givens) => unknown): boolean {
  const { clauses, only, shard } = inject('run')
  if (clauses.length > 0 && !matchesAny(id, clauses)) return false
  if (only && !only.includes(id)) return false
  return !shard || falls(id, body, shard)
}
