import { describeAnswer, isAccepted } from '../../engine/http/answers.ts'
import type { Answer } from '../../engine/http/client.ts'
import { isTryAgain } from '../../engine/http/retry.ts'
import { Trouble } from '../../engine/outcome.ts'
import { type Problem, problem } from '../../engine/problem.ts'
import type { Loan } from '../loans/lending.ts'
import type { Service } from '../service/service.ts'
import { type Assignee, updateBody } from '../service/update-request.ts'
import { wrongVersions } from '../service/wrong-versions.ts'

const tries = 3

/**
 * What stays unanswered three times after a version mismatch, with other requests in between: the update
 * itself, or the read that follows it.
 */
export async function fetchMismatch(
  { task: { id }, current, used }: Loan,
  service: Service,
  given: { actor: string; to: Assignee; unknownId: string },
): Promise<{ seen?: string; problems: Problem[] }> {
  const silences: string[] = []
  const controls: Answer[] = []
  const sent: Trouble[] = []
  for (let round = 1; round <= tries; round += 1) {
    const { updated_at } = await current.read(id)
    const body = updateBody(given.actor, given.to)
    let after = 'an update whose If-Match is wrong'
    try {
      const answer = await service.put(id, wrongVersions.older(updated_at), body)
      if (isAccepted(answer)) used.add(updated_at)
      after = `a read of the task after ${describeAnswer(answer)}`
      const read = await service.readTask(id, { retries: false })
      return { seen: `${describeAnswer(answer)}, then ${describeAnswer(read)}`, problems: [] }
    } catch (error) {
      // 429 is an answer, and an unsent request cannot be answered.
      if (!(error instanceof Trouble) || error.tooMany || error.exchange === undefined) throw error
      silences.push(`${after} failed: ${error.message}`)
      sent.push(error)
      // The control: if nothing else is answered either, the network is the reason.
      const control = await service.readTask(given.unknownId, { retries: false })
      if (isTryAgain(control.status)) throw error
      controls.push(control)
    }
  }
  // If no update is answered, If-Match is not the reason.
  controls.push(await current.put(await current.read(id), updateBody(given.actor, given.to)))
  return {
    problems: [
      problem(
        `${tries} of ${tries} times, and each time the read of another id was answered, as was an update with the current version: ${silences.at(-1)}`,
        { expected: 'an answer', got: 'none', judged: sent, control: controls },
      ),
    ],
  }
}
