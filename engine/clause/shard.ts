import { createHash } from 'node:crypto'

/** One of several runs that check the clauses between them: the first is 1. */
export type Shard = { index: number; of: number }

/** `scarce`: there are fewer things to borrow than shards, and the first has them all. */
export type Share = Shard & { scarce: boolean }

/** A shard of a run that can borrow these things. */
export const shareOf = (lendable: readonly string[], shard: Shard): Share => ({
  ...shard,
  scarce: lendable.length < shard.of,
})

/** Whether a clause falls to a shard: by its id, unless it borrows what is scarce. */
export function falls(id: string, isBorrower: boolean, shard: Share): boolean {
  if (shard.scarce && isBorrower) return shard.index === 1
  return 1 + (createHash('sha256').update(id).digest().readUInt32BE() % shard.of) === shard.index
}
