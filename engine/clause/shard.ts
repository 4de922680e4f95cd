import { createHash } from 'node:crypto'
import { matchesAny } from '../glob.ts'

/** One of several runs that check the clauses between them: the first is 1. */
export type Shard = { index: number; of: number }

/** Clauses that find out the same things. */
export type Group = {
  clauses: readonly string[]
  /** what it costs to check them, in any unit */
  cost: number
  /** how much they need, beside others, of what is lent to them; left out: they borrow nothing */
  needs?: number
  /** those of them that borrow nothing, though what they are given may be borrowed */
  borrowless?: readonly string[]
}

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
 * together, and are dealt out by cost; one that borrows leaves a group that needs nothing for the one
 * that needs most. Where there are more shards than groups, clauses go by their id.
 */
export function falls(id: string, isBorrower: boolean, share: Share): boolean {
  const { scarce, index, of } = share
  if (scarce && isBorrower) return index === 1
  const groups = groupsOf(share)
  const needs = groups.map(({ needs = 0 }) => needs)
  const most = Math.max(...needs)
  const named = groups.findIndex((one) => matchesAny(id, one.clauses))
  const borrows = isBorrower && !matchesAny(id, groups[named]?.borrowless ?? [])
  const group = borrows && needs[named] === 0 && most > 0 ? needs.indexOf(most) : named
  if (group >= 0) return dealt(groups, of)[group] === index
  return 1 + (createHash('sha256').update(id).digest().readUInt32BE() % of) === index
}

/** How many of so many things each shard may lend: by what its groups need, and one where they need any. */
export function lentTo(share: Share, count: number): number[] {
  const { scarce, of } = share
  const shards = Array.from({ length: of }, (_, at) => at + 1)
  if (scarce) return shards.map((shard) => (shard === 1 ? count : 0))
  const groups = groupsOf(share)
  const shardOf = dealt(groups, of)
  const needs = shards.map((shard) =>
    groups.reduce((sum, { needs = 0 }, at) => sum + (shardOf[at] === shard ? needs : 0), 0),
  )
  // Clauses that go by their id may borrow in any shard.
  const wanted = needs.some((need) => need > 0) ? needs : shards.map(() => 1)
  const lent = wanted.map((need): number => (need > 0 ? 1 : 0))
  const worstOff = () => {
    const ratios = wanted.map((need, at) => (need > 0 ? (lent[at] ?? 0) / need : Infinity))
    return ratios.indexOf(Math.min(...ratios))
  }
  for (let left = count - lent.reduce((sum, each) => sum + each, 0); left > 0; left -= 1) {
    const at = worstOff()
    lent[at] = (lent[at] ?? 0) + 1
  }
  return lent
}

const groupsOf = ({ of, groups = [] }: Share) => (of <= groups.length ? groups : [])

/** The shard of each group: the dearest first, each to the shard that has least so far. */
function dealt(groups: readonly Group[], of: number): number[] {
  const loads = Array.from({ length: of }, () => 0)
  const shards: number[] = []
  const costOf = (at: number) => groups[at]?.cost ?? 0
  const dearestFirst = [...groups.keys()].sort((a, b) => costOf(b) - costOf(a))
  for (const at of dearestFirst) {
    const least = loads.indexOf(Math.min(...loads))
    shards[at] = least + 1
    loads[least] = (loads[least] ?? 0) + costOf(at)
  }
  return shards
}
