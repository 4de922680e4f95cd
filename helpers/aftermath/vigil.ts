import { chosenWithout } from '../../engine/clause/chosen.ts'
import { pause } from '../../engine/time/abort.ts'
import { poll } from '../../engine/time/polling.ts'
import type { Shared } from '../service/service.ts'
import type { TaskWatch } from './task-watch.ts'

/** The givens for which a clause waits until all others have ended. */
export const waitingForEnd = ['rate', 'arrivals', 'ledger']

/** What is waited for at the end of a run, so that nothing waits on the way. */
export type Vigil = {
  /**
   * For one clause: waits until no clause does anything more, and what must leave no trace was sent as
   * long ago as it takes to settle; then each task of a refused update is read once more.
   */
  of(clause: string, shared: Shared): (sentAt?: number) => Promise<void>
  /** clauses that wait for it */
  readonly waiting: ReadonlySet<string>
}

/** Opens the vigil of a run; `ended` holds the clauses that have ended. */
export function createVigil(deps: {
  taskWatch: TaskWatch
  ended: ReadonlySet<string>
  settleMs: number
  stop: AbortSignal
}): Vigil {
  const { taskWatch, ended, settleMs, stop } = deps
  const waiting = new Set<string>()
  let settled: Promise<void> | undefined
  let last = 0

  const settle = async () => {
    const others = chosenWithout(...waitingForEnd)
    const isStill = async () => others.every((id) => ended.has(id) || waiting.has(id))
    await poll(isStill, Boolean, { limitMs: Number.POSITIVE_INFINITY, stop, maxMs: 50 })
    const sent = Math.max(last, ...taskWatch.refused.map(({ at }) => at))
    await pause(Math.max(0, sent + settleMs - performance.now()), stop)
  }

  return {
    waiting,
    of:
      (clause, shared) =>
      async (sentAt = 0) => {
        last = Math.max(last, sentAt)
        waiting.add(clause)
        settled ??= settle()
        await settled
        await shared('last look', async (service) => {
          const tasks = new Set(taskWatch.refused.map(({ task }) => task))
          await Promise.all([...tasks].map((task) => service.readTask(task)))
        })
      },
  }
}
