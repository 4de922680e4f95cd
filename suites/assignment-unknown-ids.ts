import { expect } from '../engine/clause/matchers.ts'
import { describeAnswer } from '../engine/http/answers.ts'
import type { Answer } from '../engine/http/client.ts'
import { NotDecidable, Trouble } from '../engine/outcome.ts'
import { clock } from '../engine/time/timers.ts'
import { clausesOf } from '../helpers/clause.ts'
import { expectNotFound } from '../helpers/reads/unknown-ids.ts'
import type { Service } from '../helpers/service/service.ts'
import { unassignBody, updateBody } from '../helpers/service/update-request.ts'
import { wrongVersions } from '../helpers/service/wrong-versions.ts'
import type { AttemptResult } from '../helpers/updates/attempt.ts'
import { type Attempts, describeTried, expectNotCarriedOut } from '../helpers/updates/attempts.ts'
import { aYearAhead, pool, updatesOfNoUuid } from '../helpers/updates/versions.ts'

const clause = clausesOf({ title: 'Updates by an id that no task has', section: 'Errors' })

for (const kind of ['update', 'unassign'] as const) {
  clause(`assign.not-found.${kind}`, {
    must: `answer 404 to an ${kind} of a task that does not exist`,
    operation: `assign.${kind}`,
  })(async ({ service, session, attempts, random, actor, user, note }) => {
    const body = kind === 'update' ? updateBody(actor, user) : unassignBody(actor)
    const version = clock.iso()
    const seen = await expectNotFound((id) => service.put(id, version, body), {
      random,
      clause: `assign.not-found.${kind}`,
      needControl: async (unknown) => {
        if (unknown.status === 404) return undefined
        const { commented, ...controls } = await attempts.needControl(kind)
        if (unknown.status === 401)
          throw new Trouble(`${describeAnswer(unknown)} to the key, which is accepted elsewhere`)
        // An id without a task has no version.
        const differs = ['path', 'header if-match']
        if (commented && kind === 'update') differs.push('body update assignment_comment')
        return { control: controls[kind], differs }
      },
    })
    note(seen)
    // Unassigning a task that was not lent would lose an assignment that nobody wrote down.
    if (kind === 'unassign') return
    const { assessmentId } = session.known.readable
    const other = await updateByAssessment(assessmentId, { service, attempts, body })
    if (other) expect(other).toHaveStatus(404)
  })
}

clause('assign.malformed-id', {
  must: 'not carry out an update of an id that is no UUID',
})(async ({ attempts, note }) => note(await expectNotCarriedOut(attempts, await tryAll(attempts))))

clause('assign.malformed-id.status', {
  should: 'answer 404 to an update of an id that is no UUID',
})(async ({ attempts, note }) => {
  const tried = await tryAll(attempts)
  for (const { answer } of tried) expect(answer).toHaveStatus(404)
  note(describeTried(tried))
})

async function tryAll({ tryIn }: Attempts): Promise<AttemptResult[]> {
  const tried: AttemptResult[] = []
  for (const update of updatesOfNoUuid) tried.push(await tryIn(pool, update))
  return tried
}

/**
 * The answer to an update by the id of an assessment. If a task has that id, it was not lent: send this
 * only if such an If-Match is known to be refused.
 */
async function updateByAssessment(
  id: string | undefined,
  { service, attempts, body }: { service: Service; attempts: Attempts; body: unknown },
): Promise<Answer | undefined> {
  if (id === undefined || (await service.readTask(id)).status !== 404) return undefined
  if ((await statusOf(attempts)) !== 409) return undefined
  const answer = await service.put(id, wrongVersions.future(clock.iso()), body)
  return answer.status === 403 ? undefined : answer
}

async function statusOf(attempts: Attempts): Promise<number | undefined> {
  try {
    return (await attempts.try(aYearAhead)).answer.status
  } catch (error) {
    if (error instanceof NotDecidable) return undefined
    throw error
  }
}
