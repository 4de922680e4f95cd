import { createHash } from 'node:crypto'
import { matchesAny } from '../glob.ts'

/** One of several runs that check the clauses between them: the first is 1. */
export type Shard = { index: number; of: number }

/** What checking takes, in hundredths of a whole run: of its CPU, and of its waiting for answers. */
export type Cost = { cpu: number; waits: number }

/**
 * Clauses that one shard is to have together. `needs` is how much they need, beside others, of what is
 * lent to them; left out: they borrow nothing. `finds` names what they find out first, and share with other
 * groups that a shard has.
 */
export type Group = Cost & {
  clauses: readonly string[]
  needs?: number
  finds?: readonly string[]
}

/** How clauses are dealt out: `findings` has what each costs a shard, once. */
export type Dealing = { groups: readonly Group[]; findings?: Readonly<Record<string, Cost>> }

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

type Hand = Cost & { found: readonly string[] }

/**
 * The shard of each group: the dearest first, each to the shard that is then done first. Who waits does
 * not compute, and the other way round: a shard takes as long as it does more of.
 */
function dealt(share: Share): number[] {
  const groups = groupsOf(share)
  const { findings = {} } = share
  const empty: Hand = { cpu: 0, waits: 0, found: [] }
  const hands = Array.from({ length: share.of }, () => empty)
  const withGroup = (hand: Hand, { cpu, waits, finds = [] }: Group): Hand => {
    const own = finds.filter((each) => !hand.found.includes(each))
    const all = [hand, { cpu, waits }, ...own.flatMap((each) => findings[each] ?? [])]
    const sum = (of: keyof Cost) => all.reduce((total, each) => total + each[of], 0)
    return { cpu: sum('cpu'), waits: sum('waits'), found: [...hand.found, ...own] }
  }
  const longest = ({ cpu, waits }: Cost) => Math.max(cpu, waits)
  const shards: number[] = []
  const dearestFirst = [...groups.entries()].sort(
    ([, a], [, b]) => longest(withGroup(empty, b)) - longest(withGroup(empty, a)),
  )
  for (const [at, group] of dearestFirst) {
    const then = hands.map((hand) => withGroup(hand, group))
    const loads = then.map(longest)
    const first = loads.indexOf(Math.min(...loads))
    hands[first] = then[first] ?? empty
    shards[at] = first + 1
  }
  return shards
}
