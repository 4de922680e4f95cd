import type { Open } from '../rules/open.ts'
import type { Stated } from '../rules/stated.ts'
import type { World } from '../world/world.ts'
import type { Seen } from './seen.ts'

/** Rules in place of the tables' own. */
export type Bends = { open?: Partial<Open>; stated?: Partial<Stated> }

/** Rules that follow from what some observing clauses saw. */
export type Aspect = {
  /** the ids of the clauses */
  of: string[]
  rules(seen: Seen, world: World): Bends
}
