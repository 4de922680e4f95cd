import { lentTo, type Share } from '../../engine/clause/shard.ts'
import type { Known } from '../service/known.ts'

/**
 * The givens through which a clause borrows tasks. selftest/program/many/shards.test.ts finds one that is
 * missing here: its clauses would be skipped by the shards that have no task.
 */
export const borrowers = [
  'alone',
  'arrivals',
  'borrowed',
  'furtherUpdates',
  'keyProbes',
  'journey',
  'leftTasks',
  'people',
  'refusedUpdates',
  'stale',
  'stillTaskId',
  'trail',
]

/**
 * What is known, with the tasks that fall to other shards marked as theirs: no two lend the same, and
 * each has as many as its clauses need beside those of others.
 */
export function divided(known: Known, taskIds: readonly string[], share?: Share): Known {
  if (!share) return known
  const sorted = taskIds.map((id) => id.toLowerCase()).sort()
  const holders = lentTo(share, sorted.length).flatMap((count, at) => Array(count).fill(at + 1))
  const shardOf = (id: string): number => holders[sorted.indexOf(id.toLowerCase())]
  const tasks = known.tasks.map((task) =>
    !task.lendable || shardOf(task.id) === share.index
      ? task
      : { ...task, lendable: false, heldBy: `shard ${shardOf(task.id)}/${share.of}` },
  )
  return { ...known, tasks }
}
