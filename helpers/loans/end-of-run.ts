import { chosenWithout } from '../../engine/clause/chosen.ts'
import { NotDecidable, Trouble } from '../../engine/outcome.ts'
import { pause } from '../../engine/time/abort.ts'
import { poll } from '../../engine/time/polling.ts'
import { clock } from '../../engine/time/timers.ts'
import type { Waiting } from '../../engine/time/waits.ts'
import type { History } from '../history/history.ts'
import { type LeftTask, leftTasksOf } from '../history/left-changed.ts'
import { refusedUpdates, unfollowed, unseenSince } from '../history/questions.ts'
import type { Service, Shared } from '../service/service.ts'
import { wholeOf } from '../service/task-members.ts'
import { type Assignee, updateBody } from '../service/update-request.ts'
import type { Settings } from '../settings/table.ts'
import { mayBeOwed } from './journal.ts'
import type { Lending, Loan } from './lending.ts'
import { bodyOf } from './put-back.ts'

type Following = { lending: Lending; service: Service; settings: Settings; stop: AbortSignal }

/**
 * Sends an accepted update to each of these tasks, with its current assignment if it has one, so that it
 * needs no putting back. If an update is not possible, a breach may be missed, but none is invented.
 */
export async function followAll(
  tasks: readonly string[],
  { lending, service, settings, stop }: Following,
): Promise<void> {
  const { userIds, teamIds } = settings
  const [id = ''] = [...userIds, ...teamIds]
  const anybody: Assignee = { id, type: userIds.length > 0 ? 'USER' : 'TEAM' }
  const followOn = async ({ task, current, actor }: Loan) => {
    const assignment = wholeOf(task.assignment, settings)
    const isKept = assignment !== null && mayBeOwed(assignment)
    if (!isKept && id === '') return
    // Returning the task reads it until the accepted update shows.
    await current.put(task, isKept ? bodyOf(actor, assignment) : updateBody(actor, anybody))
  }
  const follow = (id: string) => lending.lend({ id }, service, followOn)
  await Promise.allSettled(tasks.map(follow))
  stop.throwIfAborted()
}

/** A clause that names one of these givens waits until all other clauses have sent their updates. */
export const waitingForEnd = ['rate', 'arrivals', 'ledger', 'updatesOver']

/** Collects all waiting at the end of a run, so that nothing waits earlier; `ended` holds the ended clauses. */
export function openEndOfRun(deps: {
  history: History
  ended: ReadonlySet<string>
  settleMs: number
  stop: AbortSignal
  follow(tasks: readonly string[], service: Service): Promise<void>
  waits: { lateEffects: Waiting }
}) {
  const { history, ended, settleMs, stop, follow, waits } = deps
  const waiting = new Set<string>()
  let followed: Promise<void> | undefined
  let settled: Promise<number> | undefined
  let last = 0

  const allEnded = async (ids: readonly string[]) => {
    const isStill = async () => ids.every((id) => ended.has(id) || waiting.has(id))
    await poll(isStill, Boolean, { limitMs: Number.POSITIVE_INFINITY, stop, maxMs: 50 })
  }
  const updatesEnded = (own?: string) =>
    allEnded(chosenWithout(...waitingForEnd).filter((id) => id !== own))

  const followAll = async (shared: Shared) => {
    await updatesEnded()
    await shared('last updates', (service) => follow(unfollowed(history), service))
  }

  const settle = async () => {
    await followed
    const until = Math.max(last, ...refusedUpdates(history).map(({ at }) => at)) + settleMs
    const leftMs = Math.max(0, until - clock.now())
    const end = waits.lateEffects(leftMs)
    await pause(leftMs, stop).finally(end)
    return until
  }

  return {
    waiting,
    allEnded,
    updatesEnded,
    /** until the end of the run changes no task any more; at once if no clause waits for it */
    followed: async () => followed,
    /**
     * Each task with a rejected update is read once more; without a later accepted update, one is sent
     * first: an effect may wait for the next change.
     */
    of:
      (clause: string, shared: Shared) =>
      async (sentAt = 0) => {
        last = Math.max(last, sentAt)
        waiting.add(clause)
        followed ??= followAll(shared)
        settled ??= settle()
        const until = await settled
        // The clauses that wait are judged by what these updates showed.
        await shared('last updates', async () => {})
        await shared('last look', async (service) => {
          await Promise.all(unseenSince(history, until).map((task) => service.readTask(task)))
        })
      },
  }
}

/** What the last updates left, once it had time to show; a task that shows something else is read again. */
export async function settleLeftTasks(deps: {
  history: History
  service: Service
  sequence: { accepted(sequence: 'transitions'): Promise<unknown> }
  settings: { settleMs: number }
  stop: AbortSignal
  waits: { lateEffects: Waiting }
  over: () => Promise<void>
}): Promise<LeftTask[]> {
  const { history, service, settings, stop, waits } = deps
  const { settleMs } = settings
  await deps.sequence.accepted('transitions')
  await deps.over()
  const ends = history.ended.flatMap(({ kind, ended }) => (kind === 'update' ? ended : []))
  const leftMs = Math.max(0, Math.max(...ends) + settleMs - clock.now())
  const end = waits.lateEffects(leftMs)
  await pause(leftMs, stop).finally(end)
  const { unread } = leftTasksOf(history, settleMs)
  await Promise.all(unread.map((task) => service.readTask(task)))
  needLeftTask(leftTasksOf(history, settleMs))
  const undone = () =>
    leftTasksOf(history, settleMs).seen.flatMap(({ task, undone }) => (undone ? task : []))
  const limits = { limitMs: settleMs, stop, maxMs: 250, askLate: true }
  const readUntilKept = (task: string) => {
    const isKept = () => !undone().includes(task)
    return poll(() => service.readTask(task), isKept, limits)
  }
  await Promise.all(undone().map(readUntilKept))
  return leftTasksOf(history, settleMs).seen
}

function needLeftTask({ seen, unanswered }: ReturnType<typeof leftTasksOf>): void {
  if (seen.length > 0) return
  if (unanswered > 0)
    throw new Trouble('some updates got no response, and nothing shows the result of the others')
  throw new NotDecidable(
    'clause',
    'no response to an update and no read shows a version and an assignment that can be compared',
    'assign.answer-is-task',
    'task.read.assignment',
  )
}
