// Refused updates after which reads show another version of the task.

import { describeAnswer, isRefused } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { NotDecidable } from '../../engine/outcome.ts'
import { type Problem, problem } from '../../engine/problem.ts'
import { pause } from '../../engine/time/abort.ts'
import type { CurrentVersion } from '../loans/current-version.ts'
import type { Task } from '../service/answers.ts'
import { type AttemptDeps, type AttemptResult, needReady, sendOnce } from './attempt.ts'

/** Attempts that were refused without an effect, after which the version changed. */
export const movedAmong = (tried: readonly AttemptResult[]): AttemptResult[] =>
  tried.filter(
    ({ answer, carriedOut, before, after }) =>
      isRefused(answer) && !carriedOut && after.updated_at !== before.updated_at,
  )

type MovedTask = { answer: Answer; before: Task; after: Task }

/**
 * Another writer may have changed the task. Only a version that changes twice more, on a task that was
 * still before, is the service's doing.
 */
export async function problemsOfMoved(
  { attempt, answer: { status } }: AttemptResult,
  deps: AttemptDeps,
  stop: AbortSignal,
): Promise<Problem[]> {
  const isMoved = ({ answer, before, after }: MovedTask) =>
    answer.status === status && after.updated_at !== before.updated_at
  if (!isMoved(await sendToStill())) return []
  const second = await sendToStill()
  if (!isMoved(second)) return []
  const { answer, before, after } = second
  return [
    problem(`${describeAnswer(answer)} to an update ${attempt.what}, and updated_at is new`, {
      expected: before.updated_at,
      got: after.updated_at,
      judged: [answer, after],
      control: before,
      again: { signs: [{ member: 'updated_at', of: 'read', as: 'before' }] },
    }),
  ]

  /** The task once it is still: after an update the service may touch it several times. */
  async function needStill(id: string, { read }: CurrentVersion): Promise<Task> {
    let last: Task | undefined
    for (let time = 1; time <= 4; time += 1) {
      await pause(deps.settleWindow.windowMs(), stop)
      const now = await read(id)
      if (now.updated_at === last?.updated_at) return now
      last = now
    }
    throw new NotDecidable(
      'freedom',
      'the task changes by itself; what moves its updated_at beside updates is not shown',
    )
  }

  /** Sends it to a task that was still for a while, and reads it right after. */
  function sendToStill(): Promise<MovedTask> {
    return deps.lending.lend('any state', deps.service, async (loan) => {
      const { current } = loan
      const { id } = await needReady(attempt, loan, deps)
      const before = await needStill(id, current)
      const answer = await sendOnce(attempt, before, deps)
      return { answer, before, after: await current.read(before.id) }
    })
  }
}
