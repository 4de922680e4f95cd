import type { Open } from '../rules/open.ts'
import type { World } from '../world/world.ts'
import type { Shape } from './shapes.ts'

/** Collects remarks for the user. */
export type Say = {
  /** the value of a clause is imitated only in part or not at all */
  note(id: string, why: string): void
  /** the report does not show this */
  assume(sentence: string): void
  /** returns the first of several values, and notes that there are others */
  first<T>(id: string, values?: readonly T[]): T | undefined
}

/** Rules that follow from observed values of some clauses. */
export type Aspect = {
  /** the clauses by id, each with the shape of the values that can be imitated */
  of: Readonly<Record<string, Shape<unknown>>>
  /** gets those values that are present and of that shape */
  rule(seen: Readonly<Record<string, unknown>>, say: Say, world: World): Partial<Open>
}

/** An aspect of several clauses. */
export const aspect = <O>(
  of: { [K in keyof O]: Shape<O[K]> },
  rule: (seen: Readonly<Partial<O>>, say: Say, world: World) => Partial<Open>,
) => ({ of, rule }) as unknown as Aspect

/** An aspect of one clause. */
export const one = <T>(
  id: string,
  shape: Shape<T>,
  rule: (value: T, say: Say, world: World) => Partial<Open>,
): Aspect => ({ of: { [id]: shape }, rule: (seen, ...more) => rule(seen[id] as T, ...more) })
