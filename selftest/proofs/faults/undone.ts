import type { Stated } from '../../../reference/rules/stated.ts'
import { faultsBreaking, faultsNamed } from '../fault.ts'

type Task = Parameters<Stated['stored']>[0]['after']

/** A store that forgets each update some time after it was accepted, when the task is asked for. */
function forgetting(after: number, versionOf: (before: Task, now: Task) => string) {
  const made = new WeakMap<Task, { before: Task; at: number }>()
  const stated: Partial<Stated> = {
    stored: ({ task, after: now }) => {
      made.set(now, { before: task, at: Date.now() })
      return now
    },
    taskFor: ({ id, tasks }) => {
      const found = tasks.find((each) => each.id.toLowerCase() === id.toLowerCase())
      const update = found && made.get(found)
      if (!found || !update || Date.now() - update.at < after) return found
      made.delete(found)
      found.updated_at = versionOf(update.before, found)
      found.assignment = update.before.assignment
      return found
    },
  }
  return stated
}

// The last look comes that long after the last request that is refused.
const around = { mayBreak: ['*'], env: { SETTLE_MS: '2000' } }

/** Nothing shows what tasks were left with: they are put back without a comment. */
export const unshown = faultsBreaking('assign.answer-is-task', {
  'the answer to an update without a comment is empty': {
    answerText: ({ op, resource }) => {
      const { assignment } = resource as { assignment?: { assignment_comment?: string } }
      const isBare = op.startsWith('assign.') && !assignment?.assignment_comment
      return isBare ? '' : JSON.stringify(resource)
    },
    mayBreak: ['*'],
  },
})

/** What is there right after an update, and not any more when the run ends. */
export const undone = faultsNamed({
  'updates are undone after a while': {
    ...forgetting(1000, ({ updated_at }) => updated_at),
    breaks: ['assign.persisted.version'],
    ...around,
  },
  'updates are undone after a while, and the task has a new version then': {
    ...forgetting(1000, (_, now) => new Date(Date.parse(now.updated_at) + 1).toISOString()),
    breaks: ['assign.persisted.comment'],
    likeOthers: true,
    ...around,
  },
})
