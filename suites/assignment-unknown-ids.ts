import { caseOrWhy } from '../engine/clause/law.ts'
import { describeAnswer } from '../engine/http/answers.ts'
import type { Answer } from '../engine/http/client.ts'
import { problemsOfStatus } from '../engine/http/status.ts'
import { beside, type Control } from '../engine/origin.ts'
import { Trouble } from '../engine/outcome.ts'
import { isUuid } from '../engine/settings/parsers.ts'
import { clock } from '../engine/time/timers.ts'
import { clausesOf } from '../helpers/clause.ts'
import type { Op } from '../helpers/history/history.ts'
import { fetchUnknown, problemsOfUnknown } from '../helpers/reads/unknown-ids.ts'
import {
  type Find,
  isDescribedUpdate,
  nextOf,
  triedOf,
  updatesIn,
  withEffect,
} from '../helpers/recorded/update-cases.ts'
import { malformedIds } from '../helpers/service/ids.ts'
import type { Service } from '../helpers/service/service.ts'
import { isUnassign, unassignBody, updateBody } from '../helpers/service/update-request.ts'
import { wrongVersions } from '../helpers/service/wrong-versions.ts'
import {
  type Attempt,
  type AttemptResult,
  asUnassign,
  asUpdate,
  aYearAhead,
  batched,
  withOtherVersionOrId,
} from '../helpers/updates/attempt.ts'
import {
  type Attempts,
  describeTried,
  describeUnchanged,
  problemsOfEffect,
  sent,
  watchedAll,
} from '../helpers/updates/attempts.ts'
import type { SequenceView } from '../helpers/updates/sequence.ts'

const clause = clausesOf({ title: 'Updates by an id that no task has', section: 'Errors' })

const updatesOfMalformedIds = (what?: string): Find =>
  updatesIn((one) => (isUuid(one.seen.id) ? undefined : triedOf(one, what)))

/** The updates of an id that reads before and after show as absent, or that was not found. */
const updatesOfUnknownIds = (kind: 'update' | 'unassign') =>
  updatesIn((one) => {
    const { seen, op, history, current } = one
    const isOfKind = isUnassign(op.body) === (kind === 'unassign')
    if (current || !isOfKind || !isDescribedUpdate(one)) return undefined
    const isRead = ({ kind }: Op) => kind === 'read'
    const before = history.endedOf(op.task).findLast((each) => isRead(each) && each.done < op.begun)
    const reads = [before?.answer, nextOf(one, isRead)?.answer]
    const isAbsent = reads.every((answer) => answer?.status === 404)
    if (isAbsent) return beside(seen.answer, { control: reads })
    return seen.status === 404 ? seen.answer : undefined
  })

for (const kind of ['update', 'unassign'] as const)
  clause(`assign.not-found.${kind}`, {
    must: `respond 404 to an ${kind === 'update' ? kind : 'unassign request'} for a task that does not exist`,
    operation: `assign.${kind}`,
    law: problemsOfUnknown,
    of: 'unknown ids: 404',
    needs: 'an unknown id',
    seen: updatesOfUnknownIds(kind),
  })(async function* ({ service, session, attempts, sequence, random, actor, user }) {
    const body = kind === 'update' ? updateBody(actor, user) : unassignBody(actor)
    const version = clock.iso()
    const needControl = (unknown: Answer) => needControlOf(unknown, kind, sequence)
    const askKnown = () =>
      session.lending.lend('any', service, ({ task, current }) =>
        current.put(task, updateBody(actor, user)),
      )
    const asking = { random, clause: `assign.not-found.${kind}`, needControl, askKnown }
    yield* fetchUnknown((id, how) => service.put(id, version, body, how), asking)
    // Unassigning a task that was not lent would lose an assignment that no journal has.
    if (kind === 'unassign') return
    const { assessmentId } = session.known.readable
    yield* await updateByAssessment(assessmentId, { service, attempts, body })
  })

/** A database that compares by LIKE would find the task, and unassign it. */
const likeAnId = 'a UUID with _ for its last letter'

/** Valid updates, each to an id that is not a UUID; one of them unassigns. */
const updatesOfNoUuid = Object.entries(malformedIds).map(([kind, id]): Attempt => {
  const what = `of an id that is not a UUID (${kind})`
  return kind === likeAnId
    ? { what: `that unassigns, ${what}`, id, on: 'assigned', body: asUnassign }
    : { what, id, on: 'any', body: asUpdate }
})

batched(withOtherVersionOrId, updatesOfNoUuid)

clause('assign.malformed-id', {
  must: 'leave the assignment unchanged after an update for an id that is not a UUID',
  law: problemsOfEffect,
  of: describeUnchanged,
  needs: 'a malformed id',
  seen: withEffect(updatesOfMalformedIds('for a malformed id')),
})(watchedAll(...updatesOfNoUuid))

clause('assign.malformed-id.status', {
  should: 'respond 404 to an update for an id that is not a UUID',
  law: ({ answer }: Pick<AttemptResult, 'answer'>) => problemsOfStatus(answer, 404),
  of: describeTried,
  needs: 'a malformed id',
  seen: updatesOfMalformedIds(),
})(sent(...updatesOfNoUuid))

async function needControlOf(
  unknown: Answer,
  kind: 'update' | 'unassign',
  sequence: SequenceView,
): Promise<Control | undefined> {
  if (unknown.status === 404) return undefined
  const { commented, ...controls } = await sequence.needControls(kind)
  if (unknown.status === 401)
    throw new Trouble(
      `${describeAnswer(unknown)} to the valid key, which other requests show to be accepted`,
    )
  const differs = ['path', 'header if-match']
  if (commented && kind === 'update') differs.push('body update assignment_comment')
  return { control: controls[kind], differs }
}

/**
 * The answer to an update by the id of an assessment. If a task has that id, it was not lent: send
 * this only if such an If-Match is known to be rejected.
 */
async function updateByAssessment(
  id: string | undefined,
  { service, attempts, body }: { service: Service; attempts: Attempts; body: unknown },
): Promise<Answer[]> {
  if (id === undefined || (await service.readTask(id)).status !== 404) return []
  const known = await caseOrWhy(attempts.try(aYearAhead))
  if (!('answer' in known) || known.answer.status !== 409) return []
  const answer = await service.put(id, wrongVersions.future(clock.iso()), body)
  return answer.status === 403 ? [] : [answer]
}
