import { derivedFrom, isUnasked, valueIn } from '../engine/clause/case.ts'
import { caseOrWhy, type Some } from '../engine/clause/law.ts'
import { describeAnswer, isAccepted } from '../engine/http/answers.ts'
import type { Answer } from '../engine/http/client.ts'
import { statusOfRefusal } from '../engine/http/shapes.ts'
import { problemsOfStatus } from '../engine/http/status-problems.ts'
import { Trouble } from '../engine/outcome.ts'
import { clock } from '../engine/time/timers.ts'
import { clausesOf } from '../helpers/clause.ts'
import { requiredFields } from '../helpers/contract/fields.ts'
import { statuses } from '../helpers/contract/statuses.ts'
import { byKind } from '../helpers/reads/refusals.ts'
import { type Control, fetchUnknown, problemsOfUnknown } from '../helpers/reads/unknown-ids.ts'
import { malformedIds } from '../helpers/service/ids.ts'
import type { Service } from '../helpers/service/service.ts'
import { unassignBody, updateBody } from '../helpers/service/update-request.ts'
import { wrongVersions } from '../helpers/service/wrong-versions.ts'
import {
  type Attempt,
  type AttemptResult,
  asUnassign,
  asUpdate,
  aYearAhead,
  batched,
} from '../helpers/updates/attempt.ts'
import {
  type Attempts,
  describeTried,
  describeUnchanged,
  effectOf,
  problemsOfAccepted,
  problemsOfEffect,
  problemsOfMoved,
  sent,
  type Tried,
  watchedAll,
  watchedOf,
} from '../helpers/updates/attempts.ts'
import { send } from '../helpers/updates/sender.ts'
import type { SequenceView } from '../helpers/updates/sequence.ts'

const clause = clausesOf({ title: 'Rejected updates', section: 'Update a task assignment' })

const wrong = (what: string, body: Attempt['body'], more?: Partial<Attempt>): Attempt => ({
  what,
  on: 'any',
  body,
  ...more,
})
const without = (field: string) =>
  wrong(`without ${field}`, (valid) => ({ update: { ...valid, [field]: undefined } }))
const unassignWithout = (field: string): Attempt => ({
  what: `that unassigns without ${field}`,
  on: 'assigned',
  body: ({ assigned_by_id }) => ({ unassign: { assigned_by_id, [field]: undefined } }),
})
const withValue = (what: string, field: string, value: unknown) =>
  wrong(what, (valid) => ({ update: { ...valid, [field]: value } }))

const required: Record<string, Attempt> = Object.fromEntries([
  ...requiredFields('update').map((field) => [field, without(field)]),
  ...requiredFields('unassign').map((field) => [`unassign-${field}`, unassignWithout(field)]),
])
const ofType = (type: string) => withValue(`of the type ${type}`, 'assigned_to_type', type)
const noTypes = ['PERSON', ''].map(ofType)
/** A service may read it as USER: then it assigns to the same user. */
const otherTypes = [...noTypes, ofType('user')]
const wrongTypes = Object.entries({
  assigned_to_id: 7,
  assigned_by_id: {},
  assignment_comment: 5,
}).map(([field, value]) => withValue(`whose ${field} is ${JSON.stringify(value)}`, field, value))
const notJson = wrong('whose body is not JSON', (valid) =>
  JSON.stringify({ update: valid }).slice(0, -1),
)
const asText = wrong('sent as text/plain', asUpdate, {
  fate: 'open',
  how: { headers: { 'content-type': 'text/plain' } },
})

const noEffect = { law: problemsOfEffect, of: describeUnchanged }
const refused = { law: problemsOfAccepted, of: describeTried }

for (const [name, update] of Object.entries(required)) {
  const operation = update.on === 'assigned' ? 'assign.unassign' : 'assign.update'
  const kind = update.on === 'assigned' ? 'an unassign request' : 'an update'
  const request = `${kind} without ${name.replace('unassign-', '')}`

  clause(`assign.required.${name}`, {
    must: `leave the assignment unchanged after ${request}`,
    operation,
    ...noEffect,
  })(['attempts'], watchedAll(update))

  clause(`assign.required.${name}.status`, {
    should: `reject ${request}`,
    operation,
    ...refused,
  })(['attempts'], sent(update))
}

clause('assign.type-values', {
  must: 'leave the assignment unchanged after an update whose assigned_to_type is neither USER nor TEAM in any letter case',
  ...noEffect,
})(['attempts'], watchedAll(...noTypes))

clause('assign.type-values.status', {
  should:
    'reject an update whose assigned_to_type is neither USER nor TEAM, compared case-sensitively',
  ...refused,
})(['attempts'], sent(...otherTypes))

const unchanged = {
  ...noEffect,
  law: (one: AttemptResult) => [...problemsOfAccepted(one), ...problemsOfEffect(one)],
}

clause('assign.field-types', {
  should:
    'reject an update with ids or comments of the wrong JSON type, and leave the assignment unchanged',
  ...unchanged,
})(['attempts'], watchedAll(...wrongTypes))

clause('assign.refused-keeps-version', {
  should: 'leave updated_at unchanged after an update that is rejected for its body',
  reading:
    'updated_at changes when the task changes, and a rejected update does not change the task',
  law: problemsOfMoved,
  of: (refused) => `${describeTried(refused)}, and updated_at is unchanged`,
  none: ['clause', 'each of them had an effect', 'assign.field-types'],
})(['attempts'], async ({ attempts }) =>
  attempts.unmoved(await attempts.all([...otherTypes, ...wrongTypes])),
)

clause('assign.not-json', {
  should: 'reject an update whose body is not JSON, and leave the assignment unchanged',
  ...unchanged,
})(['attempts'], watchedAll(notJson))

clause('assign.content-type-required', {
  observe: 'what an update does that is valid JSON and is sent as text/plain',
  since: '0.3',
  operation: 'assign.update',
  look: ([result]: Some<AttemptResult>) => effectOf(result),
})(['attempts'], async ({ attempts }) => [watchedOf(await attempts.try(asText))])

clause('assign.content-type-required.unchanged', {
  should: 'leave the assignment unchanged after an update that is rejected as text/plain',
  since: '0.3',
  ...noEffect,
  none: ['freedom', 'accepted; the contract does not say that the service checks Content-Type'],
})(['attempts'], ({ attempts }) => attempts.watched(rejectedOf(attempts.all([asText]))))

async function rejectedOf(sending: Promise<readonly Tried[]>): Promise<readonly Tried[]> {
  const all = await sending
  return all.filter((tried) => !isAccepted(valueIn(tried).answer))
}

clause('assign.status-of-invalid-body', {
  observe: 'the status of the response to each kind of invalid body',
  section: 'Errors',
  operation: 'assign.update',
  look: byKind(statusOfRefusal),
})(['attempts'], async ({ attempts }) => {
  const invalid = [...otherTypes, ...wrongTypes].map((update) => [update.what, update] as const)
  const formats = { 'not JSON': notJson, 'text/plain': asText }
  const kinds = { ...required, ...Object.fromEntries(invalid), ...formats }
  const tried = Object.entries(kinds).map(async ([kind, update]) => {
    return derivedFrom(await attempts.try(update), ({ answer }) => ({ kind, answer }))
  })
  return Promise.all(tried)
})

const ofNoTask = clausesOf({ title: 'Updates by an id that no task has', section: 'Errors' })

for (const kind of ['update', 'unassign'] as const)
  ofNoTask(`assign.not-found.${kind}`, {
    must: `respond 404 to an ${kind === 'update' ? kind : 'unassign request'} for a task that does not exist`,
    operation: `assign.${kind}`,
    law: problemsOfUnknown,
    of: `unknown ids: ${statuses.unknownId}`,
  })(
    ['session', 'random', 'service', 'actor', 'user', 'sequence', 'attempts'],
    async function* ({ session, random, service, actor, user, sequence, attempts }) {
      const body = kind === 'update' ? updateBody(actor, user) : unassignBody(actor)
      const version = clock.iso()
      const needControl = (unknown: Answer) => needControlOf(unknown, kind, sequence)
      const askKnown = () =>
        session.lending.lend('any', service, (loan) => send(loan, { to: user }))
      const asking = { random, clause: `assign.not-found.${kind}`, needControl, askKnown }
      yield* fetchUnknown((id, how) => service.put(id, version, body, how), asking)
      // Unassigning a task that was not lent would lose an assignment that no journal has.
      if (kind === 'unassign') return
      const { readable } = session.known.ids.assessment
      yield* await updateByAssessment(readable, { service, attempts, body })
    },
  )

/** A database that compares by LIKE would find the task, and unassign it. */
const likeAnId = 'a UUID with _ for its last letter'

const updatesOfNoUuid = Object.entries(malformedIds).map(([kind, id]): Attempt => {
  const what = `of an id that is not a UUID (${kind})`
  return kind === likeAnId
    ? { what: `that unassigns, ${what}`, id, on: 'assigned', body: asUnassign }
    : { what, id, on: 'any', body: asUpdate }
})

batched(updatesOfNoUuid)

ofNoTask('assign.malformed-id', {
  must: 'leave the assignment unchanged after an update for an id that is not a UUID',
  law: problemsOfEffect,
  of: describeUnchanged,
})(['attempts'], watchedAll(...updatesOfNoUuid))

ofNoTask('assign.malformed-id.status', {
  should: 'respond 404 to an update for an id that is not a UUID',
  law: ({ answer }: Pick<AttemptResult, 'answer'>) => problemsOfStatus(answer, statuses.unknownId),
  of: describeTried,
})(['attempts'], sent(...updatesOfNoUuid))

async function needControlOf(
  unknown: Answer,
  kind: 'update' | 'unassign',
  sequence: SequenceView,
): Promise<Control | undefined> {
  if (unknown.status === statuses.unknownId) return undefined
  const { commented, ...controls } = await sequence.needControls(kind)
  if (unknown.status === statuses.badKey)
    throw new Trouble(
      `${describeAnswer(unknown)} to the valid key, which other requests show to be accepted`,
    )
  const differs = ['path', 'header if-match']
  if (commented && kind === 'update') differs.push('body update assignment_comment')
  return { control: controls[kind], differs }
}

/** If a task has the id of an assessment, it was not lent: only if such an If-Match is known to be rejected. */
async function updateByAssessment(
  id: string | undefined,
  { service, attempts, body }: { service: Service; attempts: Attempts; body: unknown },
): Promise<Answer[]> {
  if (id === undefined || (await service.readTask(id)).status !== statuses.unknownId) return []
  const known = await caseOrWhy(attempts.try(aYearAhead))
  if (isUnasked(known) || valueIn(known).answer.status !== statuses.staleVersion) return []
  const answer = await service.put(id, wrongVersions.future(clock.iso()), body)
  return answer.status === 403 ? [] : [answer]
}
