// Refused updates after which reads show another version of the task.

import { describeAnswer, isAccepted, isRefused } from '../../engine/http/answers.ts'
import { NotDecidable } from '../../engine/outcome.ts'
import { type Problem, problem } from '../../engine/problem.ts'
import { pause } from '../../engine/time/abort.ts'
import type { CurrentVersion } from '../loans/current-version.ts'
import type { Task } from '../service/answers.ts'
import { withReads } from './after-update.ts'
import { type AttemptDeps, type AttemptResult, needReady, sendOnce } from './attempt.ts'

/** An update that was not accepted and had no effect; `status`: of the same before, if it was sent again. */
export type Unchanged = Pick<AttemptResult, 'attempt' | 'answer' | 'before' | 'after'> & {
  status?: number
}

/** The attempts that were not accepted and had no effect, each with the read after it. */
export const withoutEffect = (tried: readonly AttemptResult[]): Unchanged[] =>
  tried.flatMap(({ attempt, answer, before, after, carriedOut }) =>
    !isAccepted(answer) && !carriedOut ? [withReads({ attempt, answer, before, after })] : [],
  )

/** Whether it was refused, and the version is new; a 409 to the current one is due to another writer. */
export const isMoved = ({
  attempt,
  answer,
  status = answer.status,
  ...reads
}: Unchanged): boolean =>
  isRefused(answer) &&
  answer.status === status &&
  (status !== 409 || attempt.version !== undefined) &&
  reads.after.updated_at !== reads.before.updated_at

export function problemsOfMoved(one: Unchanged): Problem[] {
  if (!isMoved(one)) return []
  const { attempt, answer, before, after } = one
  return [
    problem(`${describeAnswer(answer)} to an update ${attempt.what}, but updated_at changed`, {
      expected: before.updated_at,
      got: after.updated_at,
      judged: [answer, after],
      control: before,
      again: { signs: [{ member: 'updated_at', of: 'read', as: 'before' }] },
    }),
  ]
}

/** Sends it to a task that was still for a while, and reads it right after. */
export const sendToStill = (
  { attempt, answer: { status } }: Unchanged,
  deps: AttemptDeps & { stop: AbortSignal },
): Promise<Unchanged> =>
  deps.lending.lend('any state', deps.service, async (loan) => {
    const { current } = loan
    const { id } = await needReady(attempt, loan, deps)
    const before = await needStill(id, current, deps)
    const answer = await sendOnce(attempt, before, deps)
    return withReads({ attempt, answer, before, after: await current.read(id), status })
  })

/** The task once it is still: after an update the service may touch it several times. */
async function needStill(
  id: string,
  { read }: CurrentVersion,
  { settleWindow, stop }: AttemptDeps & { stop: AbortSignal },
): Promise<Task> {
  let last: Task | undefined
  for (let time = 1; time <= 4; time += 1) {
    await pause(settleWindow.windowMs(), stop)
    const now = await read(id)
    if (now.updated_at === last?.updated_at) return now
    last = now
  }
  throw new NotDecidable(
    'freedom',
    'the task changes without an update; the contract does not say what else changes updated_at',
  )
}
