import { NotDecidable, Trouble } from '../../engine/outcome.ts'
import { poll } from '../../engine/time/polling.ts'
import type { History } from '../history/history.ts'
import { type LeftTasks, leftTasksOf } from '../history/left-changed.ts'
import type { Service } from '../service/service.ts'

/** At the end of the run: reads tasks that seem undone until they are not, or SETTLE_MS is over. */
export async function settleLeftTasks(deps: {
  history: History
  service: Service
  sequence: { accepted(sequence: 'transitions'): Promise<unknown> }
  settings: { settleMs: number }
  stop: AbortSignal
  over: () => Promise<void>
}): Promise<Pick<LeftTasks, 'seen' | 'undone'>> {
  const { history, service, settings, stop } = deps
  await deps.sequence.accepted('transitions')
  await deps.over()
  const left = leftTasksOf(history)
  if (left.seen === 0) await Promise.all(left.unread.map((task) => service.readTask(task)))
  const { seen, unanswered, undone } = leftTasksOf(history)
  if (seen === 0 && unanswered > 0)
    throw new Trouble('updates were not answered, and nothing shows what the others left')
  if (seen === 0)
    throw new NotDecidable(
      'clause',
      'no answer to an update shows a version and an assignment that a read can be compared with',
      'assign.answer-is-task',
    )
  const limits = { limitMs: settings.settleMs, stop, maxMs: 250, askLate: true }
  const readUntilKept = (task: string) => {
    const isKept = () => leftTasksOf(history).undone.every((each) => each.task !== task)
    return poll(() => service.readTask(task), isKept, limits)
  }
  await Promise.all(undone.map(({ task }) => readUntilKept(task)))
  return leftTasksOf(history)
}
