import type { Open } from '../rules/open.ts'
import type { World } from '../world/world.ts'
import type { Shape } from './shapes.ts'

/** Takes what is to be said to the user. */
export type Say = {
  /** that the value of a clause is not imitated, or only a part of it */
  note(id: string, why: string): void
  /** what the report does not show */
  assume(sentence: string): void
  /** gives the first of several values, and notes that there are others */
  first<T>(id: string, values?: readonly T[]): T | undefined
}

/** Rules that follow from what some observing clauses saw. */
export type Aspect = {
  /** the clauses by their ids, each with the shape of the values that can be imitated */
  of: Readonly<Record<string, Shape<unknown>>>
  /** gets the values of these clauses, as far as they are there and of their shape */
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
