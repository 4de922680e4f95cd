import { createHash } from 'node:crypto'
import type { Known } from '../../helpers/service/known.ts'

/** One of several runs that check the clauses between them: the first is 1. */
export type Shard = { index: number; of: number }

/** `scarce`: there are fewer tasks than shards, and the first has them all. */
export type Share = Shard & { scarce: boolean }

/**
 * The givens through which a clause borrows tasks. selftest/shards.test.ts finds one that is missing
 * here: its clauses would be skipped by the shards that have no task.
 */
const borrowers = [
  'alone',
  'arrivals',
  'borrowed',
  'journey',
  'keyProbes',
  'people',
  'refusedUpdates',
  'stale',
  'stillTaskId',
  'trail',
]

/** A shard of a run that may change these tasks. */
export function shareOf(taskIds: readonly string[], shard: Shard): Share {
  return { ...shard, scarce: taskIds.length < shard.of }
}

/** Whether a clause falls to a shard: by its id alone, unless it needs a task where those are scarce. */
export function falls(id: string, body: { toString(): string }, shard: Share): boolean {
  if (shard.scarce && givensOf(body).some((name) => borrowers.includes(name)))
    return shard.index === 1
  return 1 + (createHash('sha256').update(id).digest().readUInt32BE() % shard.of) === shard.index
}

/** The names that a body takes out of its givens, read off its source text as vitest does. */
function givensOf(body: { toString(): string }): string[] {
  const [, names = ''] = /^[^{]*?\(\s*\{([^}]*)\}/.exec(body.toString()) ?? []
  return names.split(',').map((name) => name.replace(/:.*/s, '').trim())
}

/** What is known, with the tasks that fall to other shards marked as theirs: no two lend the same. */
export function divided(known: Known, taskIds: readonly string[], share?: Share): Known {
  if (!share) return known
  const sorted = taskIds.map((id) => id.toLowerCase()).sort()
  const shardOf = (id: string) =>
    share.scarce ? 1 : 1 + (sorted.indexOf(id.toLowerCase()) % share.of)
  const tasks = known.tasks.map((task) =>
    !task.lendable || shardOf(task.id) === share.index
      ? task
      : { ...task, lendable: false, heldBy: `shard ${shardOf(task.id)}/${share.of}` },
  )
  return { ...known, tasks }
}
