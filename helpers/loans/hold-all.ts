import { NotDecidable, Trouble } from '../../engine/outcome.ts'
import { poll } from '../../engine/time/polling.ts'
import type { History } from '../history/history.ts'
import { type LeftTask, leftTasksOf } from '../history/left-changed.ts'
import type { KnownIds } from '../service/known.ts'
import type { Service } from '../service/service.ts'
import type { Settings } from '../settings/table.ts'
import type { Lending, Loan } from './lending.ts'
import { isLendable } from './need-lendable.ts'

type Held = { lending: Lending; known: KnownIds; settings: Pick<Settings, 'notPermitted'> }

/**
 * Acts while holding all lendable tasks, so that no other clause updates any. Only one clause at a time may
 * do so: two would wait for each other forever.
 */
export const aloneWith = <T>(
  { lending, known, settings }: Held,
  service: Service,
  act: (loans: [Loan, ...Loan[]]) => Promise<T>,
): Promise<T> =>
  lending.lend('any', service, async (own) => {
    const lendable = known.tasks.filter((task) => isLendable(task, settings))
    const others = lendable.filter(({ id }) => id !== own.task.id)
    // By id: some tasks may no longer be lendable.
    const loans = others.map(({ id }) => lending.borrow({ id }, service).catch(unlessLentToNobody))
    try {
      const held = (await Promise.all(loans)).filter((loan) => loan !== undefined)
      return await act([own, ...held])
    } finally {
      for (const loan of await Promise.allSettled(loans))
        if (loan.status === 'fulfilled') await loan.value?.giveBack()
    }
  })

/** A task that no longer exists, or could not be put back, is held anyway. */
function unlessLentToNobody(error: unknown): undefined {
  if (!(error instanceof NotDecidable)) throw error
}

/** At the end of the run: reads tasks that seem reverted until they are not, or SETTLE_MS is over. */
export async function settleLeftTasks(deps: {
  history: History
  service: Service
  sequence: { accepted(sequence: 'transitions'): Promise<unknown> }
  settings: { settleMs: number }
  stop: AbortSignal
  over: () => Promise<void>
}): Promise<LeftTask[]> {
  const { history, service, settings, stop } = deps
  await deps.sequence.accepted('transitions')
  await deps.over()
  const left = leftTasksOf(history)
  if (left.seen.length === 0) await Promise.all(left.unread.map((task) => service.readTask(task)))
  const { seen, unanswered } = leftTasksOf(history)
  if (seen.length === 0 && unanswered > 0)
    throw new Trouble('some updates got no response, and nothing shows the result of the others')
  if (seen.length === 0)
    throw new NotDecidable(
      'clause',
      'no response to an update shows a version and an assignment that a read can be compared with',
      'assign.answer-is-task',
    )
  const undone = () => leftTasksOf(history).seen.flatMap((one) => (one.undone ? one.task : []))
  const limits = { limitMs: settings.settleMs, stop, maxMs: 250, askLate: true }
  const readUntilKept = (task: string) => {
    const isKept = () => !undone().includes(task)
    return poll(() => service.readTask(task), isKept, limits)
  }
  await Promise.all(undone().map(readUntilKept))
  return leftTasksOf(history).seen
}
