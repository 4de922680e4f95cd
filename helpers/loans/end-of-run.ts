import { chosenWithout } from '../../engine/clause/chosen.ts'
import { pause } from '../../engine/time/abort.ts'
import { poll } from '../../engine/time/polling.ts'
import type { History } from '../history/history.ts'
import { refusedUpdates, unfollowed, unseenSince } from '../history/questions.ts'
import type { Service, Shared } from '../service/service.ts'

/** The givens for which a clause waits until all others have ended. */
const waitingForEnd = ['rate', 'arrivals', 'ledger', 'updatesOver']

/** What a run waits for at its end, so that nothing waits on the way. */
export type EndOfRun = {
  /**
   * For one clause: waits until no clause does anything more, and what must leave no trace was sent as
   * long ago as it takes to settle; then each task that was to be changed is read once more, unless it was
   * since. Where no update was accepted after it one follows first: nothing else shows what was put off
   * until the next change.
   */
  of(clause: string, shared: Shared): (sentAt?: number) => Promise<void>
  /** until these clauses have ended, or wait for the end themselves */
  allEnded(ids: readonly string[]): Promise<void>
  /** until every clause has ended that does not wait for the end: nothing of theirs comes between then */
  updatesEnded(): Promise<void>
  /** until it changes no task any more; at once where no clause waits for it */
  followed(): Promise<void>
  /** clauses that wait for it */
  readonly waiting: ReadonlySet<string>
}

/** Opens the end of a run; `ended` holds the clauses that have ended. */
export function openEndOfRun(deps: {
  history: History
  ended: ReadonlySet<string>
  settleMs: number
  stop: AbortSignal
  /** has an accepted update follow on each of these tasks, where that can be had */
  follow(tasks: readonly string[], service: Service): Promise<void>
}): EndOfRun {
  const { history, ended, settleMs, stop, follow } = deps
  const waiting = new Set<string>()
  let followed: Promise<void> | undefined
  let settled: Promise<number> | undefined
  let last = 0

  const allEnded = async (ids: readonly string[]) => {
    const isStill = async () => ids.every((id) => ended.has(id) || waiting.has(id))
    await poll(isStill, Boolean, { limitMs: Number.POSITIVE_INFINITY, stop, maxMs: 50 })
  }
  const updatesEnded = () => allEnded(chosenWithout(...waitingForEnd))

  const followAll = async (shared: Shared) => {
    await updatesEnded()
    await shared('last updates', (service) => follow(unfollowed(history), service))
  }

  /** until when what was sent may take to settle */
  const settle = async () => {
    await followed
    const until = Math.max(last, ...refusedUpdates(history).map(({ at }) => at)) + settleMs
    await pause(Math.max(0, until - performance.now()), stop)
    return until
  }

  return {
    waiting,
    allEnded,
    updatesEnded,
    followed: async () => followed,
    of:
      (clause, shared) =>
      async (sentAt = 0) => {
        last = Math.max(last, sentAt)
        waiting.add(clause)
        followed ??= followAll(shared)
        settled ??= settle()
        const until = await settled
        // For the evidence: what they showed is held against clauses that wait for it.
        await shared('last updates', async () => {})
        await shared('last look', async (service) => {
          await Promise.all(unseenSince(history, until).map((task) => service.readTask(task)))
        })
      },
  }
}
