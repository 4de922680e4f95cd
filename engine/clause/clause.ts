import { describe, type TaskMeta, type TestAPI, type TestContext } from 'vitest'
import type { Exchange } from '../http/exchange.ts'
import { brokenBy, NotDecidable, outcomeOf, toChange } from '../outcome.ts'
import type { Level, Outcome } from '../verdict.ts'
import { valueIn } from './case.ts'
import { choose, provided } from './chosen.ts'
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

type Ask<Givens, Case> = (givens: Givens & TestContext) => Cases<Case> | Promise<Cases<Case>>

export type Noted = {
  facts: ClauseFacts
  judging: Judging<object> | Looking<object>
  body?: Ask<never, object>
}

const noted = new Map<string, Noted>()

export const clauses: ReadonlyMap<string, Noted> = noted

/**
 * Creates the function that notes clauses on givens, called twice: with id and law, then with the body. `said`
 * is what all clauses of a suite have in common.
 */
export const clausesOn =
  <Givens>() =>
  <Said extends Partial<Place> = object>(said?: Said) => {
    function clause<Case extends object>(
      id: string,
      law: Left<Said> & Judged & Judging<Case>,
    ): (ask: Ask<Givens, Case>) => void
    function clause<Case extends object>(
      id: string,
      law: Left<Said> & Observed & Looking<Case>,
    ): (ask: Ask<Givens, Case>) => void
    function clause(id: string, law: Partial<Place> & (Judged | Observed)) {
      const { section, operation, title, reading, since } = { ...said, ...law } as Place
      const varies = 'varies' in law ? law.varies : undefined
      const place = { section, operation, title, reading, since }
      const facts = { id, ...levelOf(law), ...place, varies }
      const one: Noted = { facts, judging: law as never }
      noted.set(id, one)
      return (body: Ask<never, object>) => {
        one.body = body
      }
    }
    return clause
  }

function levelOf(law: Judged | Observed): { level: Level; statement: string } {
  if ('must' in law) return { level: 'must', statement: law.must }
  if ('should' in law) return { level: 'should', statement: law.should }
  return { level: 'observe', statement: law.observe }
}

/** Declares the selected clauses, then a suite that checks the selection. */
export function declareClauses<Extra>(
  test: TestAPI<Extra>,
  inOrder: readonly Noted[] = [...noted.values()],
): void {
  for (const one of inOrder) declare(test, one)
  const all = inOrder.map(({ facts }) => facts)
  describe('the selection', { meta: { declared: all.map(({ id }) => id) } }, () => {
    const bare = inOrder.find(({ body }) => !namesGivens(body))
    if (bare) throw new Error(`${bare.facts.id}: write clause(id, law)(({ given }) => cases)`)
    needClausesFor(provided('selection'), all)
  })
}

function declare<Extra>(test: TestAPI<Extra>, { facts, judging, body }: Noted): void {
  const { id } = facts
  if (!namesGivens(body) || !isWanted(facts, provided('selection'))) return
  choose(id, givensOf(body))

  if (provided('selection').notPermitted?.includes(id)) {
    const why = toChange('NOT_PERMITTED', 'NOT_PERMITTED declares this clause')
    const outcome = outcomeOf(new NotDecidable(...why))
    test(id, { meta: { clause: facts, outcome } }, () => {})
    return
  }

  const run = async (given: Extra & TestContext) => {
    const { meta } = given.task
    meta.outcome = await judgedBy(judging, async () => body(given as never), meta)
  }
  run.toString = () => body.toString()

  test(id, { meta: { clause: facts } }, run)
}

async function judgedBy(
  judging: Judging<object> | Looking<object>,
  ask: () => Promise<Cases<object>>,
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

const patternStart = /^[^{]*?\(\s*\{/

/** Whether this body has no parameter or destructures it; vitest would wait for any other. */
const namesGivens = (body?: Ask<never, object>): body is Ask<never, object> =>
  body !== undefined && (body.length === 0 || patternStart.test(String(body)))

/** The names that a body destructures, as vitest reads them from its source text. */
export function givensOf(body: { toString(): string }): string[] {
  const source = body.toString()
  const start = patternStart.exec(source)
  if (!start) return []
  return patternMembers(source.slice(start[0].length)).map((member) =>
    member.replace(/[:=].*/s, '').trim(),
  )
}

const opening = '{[('
const closing = '}])'

/** The members of a pattern, up to its closing brace; a member may itself be a pattern. */
function patternMembers(afterBrace: string): string[] {
  const members = ['']
  let depth = 1
  for (const character of afterBrace) {
    if (opening.includes(character)) depth += 1
    if (closing.includes(character)) depth -= 1
    if (depth === 0) break
    if (depth === 1 && character === ',') members.push('')
    else members[members.length - 1] += character
  }
  return members.filter((member) => member.trim() !== '')
}
