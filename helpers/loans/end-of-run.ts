import { chosenWithout } from '../../engine/clause/chosen.ts'
import { pause } from '../../engine/time/abort.ts'
import { poll } from '../../engine/time/polling.ts'
import { clock } from '../../engine/time/timers.ts'
import type { History } from '../history/history.ts'
import { refusedUpdates, unfollowed, unseenSince } from '../history/questions.ts'
import type { Service, Shared } from '../service/service.ts'

/** The givens whose clauses wait until all others have ended. */
const waitingForEnd = ['rate', 'arrivals', 'ledger', 'updatesOver']

/** Collects all waiting at the end of a run, so that nothing waits earlier; `ended` holds the ended clauses. */
export function openEndOfRun(deps: {
  history: History
  ended: ReadonlySet<string>
  settleMs: number
  stop: AbortSignal
  /** sends an accepted update to each of these tasks, if possible */
  follow(tasks: readonly string[], service: Service): Promise<void>
}) {
  const { history, ended, settleMs, stop, follow } = deps
  const waiting = new Set<string>()
  let followed: Promise<void> | undefined
  let settled: Promise<number> | undefined
  let last = 0

  /** until these clauses have ended, or wait for the end themselves */
  const allEnded = async (ids: readonly string[]) => {
    const isStill = async () => ids.every((id) => ended.has(id) || waiting.has(id))
    await poll(isStill, Boolean, { limitMs: Number.POSITIVE_INFINITY, stop, maxMs: 50 })
  }
  /** until every clause but this has ended that does not wait for the end */
  const updatesEnded = (own?: string) =>
    allEnded(chosenWithout(...waitingForEnd).filter((id) => id !== own))

  const followAll = async (shared: Shared) => {
    await updatesEnded()
    await shared('last updates', (service) => follow(unfollowed(history), service))
  }

  /** waits until late effects had time to show */
  const settle = async () => {
    await followed
    const until = Math.max(last, ...refusedUpdates(history).map(({ at }) => at)) + settleMs
    await pause(Math.max(0, until - clock.now()), stop)
    return until
  }

  return {
    waiting,
    allEnded,
    updatesEnded,
    /** until the end of the run changes no task any more; at once if no clause waits for it */
    followed: async () => followed,
    /**
     * For one clause: waits until no clause does anything more and late effects had time to show. Then it
     * reads each task with a rejected update once more, unless that happened already. If no later update was
     * accepted, it sends one first: an effect may wait for the next change.
     */
    of:
      (clause: string, shared: Shared) =>
      async (sentAt = 0) => {
        last = Math.max(last, sentAt)
        waiting.add(clause)
        followed ??= followAll(shared)
        settled ??= settle()
        const until = await settled
        // Evidence for the clauses that wait: they are judged by what these updates showed.
        await shared('last updates', async () => {})
        await shared('last look', async (service) => {
          await Promise.all(unseenSince(history, until).map((task) => service.readTask(task)))
        })
      },
  }
}
