import { createHash } from 'node:crypto'
import { matchesAny } from '../glob.ts'

/** One of several runs that check the clauses between them: the first is 1. */
export type Shard = { index: number; of: number }

/**
 * Clauses that one shard is to have together, and what it costs to check them, in any unit. `needs` is how
 * much they need, beside others, of what is lent to them; left out: they borrow nothing. `finds` names what
 * they find out first, and share with other groups that a shard has.
 */
export type Group = {
  clauses: readonly string[]
  cost: number
  needs?: number
  finds?: readonly string[]
}

/** How clauses are dealt out: `findings` has what each costs a shard, once. */
export type Dealing = { groups: readonly Group[]; findings?: Readonly<Record<string, number>> }

/** `scarce`: there are fewer things to borrow than shards, and the first has them all. */
export type Share = Shard & { scarce: boolean } & Partial<Dealing>

/** A shard of a run that can borrow these things. */
export const shareOf = (
  lendable: readonly string[],
  shard: Shard,
  dealing: Dealing = { groups: [] },
): Share => ({ ...shard, scarce: lendable.length < shard.of, ...dealing })

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
  const group = isBorrower && needs[named] === 0 && most > 0 ? needs.indexOf(most) : named
  if (group >= 0) return dealt(share)[group] === index
  return 1 + (createHash('sha256').update(id).digest().readUInt32BE() % of) === index
}

/** How many of so many things each shard may lend: by what its groups need, and one where they need any. */
export function lentTo(share: Share, count: number): number[] {
  const { scarce, of } = share
  const shards = Array.from({ length: of }, (_, at) => at + 1)
  if (scarce) return shards.map((shard) => (shard === 1 ? count : 0))
  const groups = groupsOf(share)
  const shardOf = dealt(share)
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

/**
 * The shard of each group: the dearest first, each to the shard that has least when it has found out for it
 * what it does not know yet.
 */
function dealt(share: Share): number[] {
  const { of, findings = {} } = share
  const groups = groupsOf(share)
  const hands = Array.from({ length: of }, () => ({ load: 0, found: new Set<string>() }))
  const costIn = ({ cost, finds = [] }: Group, found: ReadonlySet<string>) =>
    finds.reduce((sum, each) => sum + (found.has(each) ? 0 : (findings[each] ?? 0)), cost)
  const shards: number[] = []
  const dearestFirst = [...groups.entries()].sort(
    ([, a], [, b]) => costIn(b, new Set()) - costIn(a, new Set()),
  )
  for (const [at, group] of dearestFirst) {
    const loads = hands.map(({ load, found }) => load + costIn(group, found))
    const least = loads.indexOf(Math.min(...loads))
    const hand = hands[least]
    if (!hand) continue
    hand.load = loads[least] ?? 0
    for (const each of group.finds ?? []) hand.found.add(each)
    shards[at] = least + 1
  }
  return shards
}
