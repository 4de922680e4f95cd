import { createHash } from 'node:crypto'
import { matchesAny } from '../glob.ts'

/** One of several runs that check the clauses between them: the first is 1. */
export type Shard = { index: number; of: number }

/** Clauses that find out the same things, and what it costs to check them, in any unit. */
export type Group = { clauses: readonly string[]; cost: number }

/** `scarce`: there are fewer things to borrow than shards, and the first has them all. */
export type Share = Shard & { scarce: boolean; groups?: readonly Group[] }

/** A shard of a run that can borrow these things. */
export const shareOf = (
  lendable: readonly string[],
  shard: Shard,
  groups: readonly Group[] = [],
): Share => ({ ...shard, scarce: lendable.length < shard.of, groups })

/**
 * Whether a clause falls to a shard: the first has those that borrow what is scarce. Groups stay
 * together, and are dealt out by cost; where there are more shards than groups, clauses go by their id.
 */
export function falls(id: string, isBorrower: boolean, share: Share): boolean {
  const { scarce, index, of, groups = [] } = share
  if (scarce && isBorrower) return index === 1
  const group = of <= groups.length ? groups.findIndex((one) => matchesAny(id, one.clauses)) : -1
  if (group >= 0) return dealt(share)[group] === index
  return 1 + (createHash('sha256').update(id).digest().readUInt32BE() % of) === index
}

/** The shard of each group: the dearest first, each to the shard that has least so far. */
function dealt({ of, groups = [] }: Share): number[] {
  const loads = Array.from({ length: of }, () => 0)
  const shards: number[] = []
  const dearestFirst = [...groups.keys()].sort((a, b) => costOf(groups, b) - costOf(groups, a))
  for (const at of dearestFirst) {
    const least = loads.indexOf(Math.min(...loads))
    shards[at] = least + 1
    loads[least] = (loads[least] ?? 0) + costOf(groups, at)
  }
  return shards
}

const costOf = (groups: readonly Group[], at: number) => groups[at]?.cost ?? 0
