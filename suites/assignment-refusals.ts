import { isObject } from '../engine/http/answers.ts'
import { statusOfRefusal } from '../engine/http/shapes.ts'
import { clausesOf } from '../helpers/clause.ts'
import { byKind } from '../helpers/reads/refusals.ts'
import { type Find, triedOf, updatesIn, withEffect } from '../helpers/recorded/update-cases.ts'
import { problemsOf } from '../helpers/service/schema.ts'
import { isReadAsType, objectIn } from '../helpers/service/update-request.ts'
import { type Attempt, asUpdate, batched } from '../helpers/updates/attempt.ts'
import {
  describeTried,
  describeUnchanged,
  problemsOfAccepted,
  problemsOfEffect,
  problemsOfMoved,
  sent,
  type Tried,
  type Watched,
  watchedAll,
} from '../helpers/updates/attempts.ts'

const clause = clausesOf({ title: 'Rejected updates', section: 'Update a task assignment' })

const wrong = (what: string, body: Attempt['body'], more?: Partial<Attempt>): Attempt => ({
  what,
  on: 'any',
  body,
  ...more,
})
const without = (field: string) =>
  wrong(`without ${field}`, (valid) => ({ update: { ...valid, [field]: undefined } }))
const withValue = (what: string, field: string, value: unknown) =>
  wrong(what, (valid) => ({ update: { ...valid, [field]: value } }))

const required: Record<string, Attempt> = {
  assigned_by_id: without('assigned_by_id'),
  assigned_to_id: without('assigned_to_id'),
  assigned_to_type: without('assigned_to_type'),
  'unassign-assigned_by_id': {
    what: 'that unassigns without assigned_by_id',
    on: 'assigned',
    body: () => ({ unassign: {} }),
  },
}
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
  how: { headers: { 'content-type': 'text/plain' } },
})

const otherFormats = { 'not JSON': notJson, 'text/plain': asText }
// Later reads show whether they took effect.
batched('updates in another format', Object.values(otherFormats))

const needs = 'an invalid body'
const noEffect = { law: problemsOfEffect, of: describeUnchanged, needs }
const refused = { law: problemsOfAccepted, of: describeTried, needs }

/** The updates with this one mistake in their body, and an If-Match. */
const mistakenUpdates = (path: string, kind: 'missing' | 'form', what?: string): Find =>
  updatesIn((one) => {
    const { body, ifMatch } = one.op
    const wrong =
      isObject(body) && ifMatch !== undefined ? problemsOf('update-assignment', body) : []
    const [only, more] = wrong.filter(({ path }) => path !== '')
    const isSo = only?.path === path && only.kind === kind && !more
    return isSo ? triedOf(one, what) : undefined
  })

/** The updates with another mistake in their body whose task got a new version. */
const touchedUpdates = updatesIn((one) =>
  one.effect?.isTouched && problemsOf('update-assignment', one.op.body).length > 0
    ? triedOf(one)
    : undefined,
)

/** The updates whose body is not JSON. One that the recorder cut is not JSON either. */
const unreadableUpdates = (what: string): Find =>
  updatesIn((one) => {
    const { sent, requestBody = '', requestHeaders } = one.seen
    const isWhole = requestHeaders['content-length'] === `${Buffer.byteLength(requestBody)}`
    return sent === requestBody && isWhole && one.op.ifMatch !== undefined
      ? triedOf(one, what)
      : undefined
  })

for (const [name, update] of Object.entries(required)) {
  const operation = update.on === 'assigned' ? 'assign.unassign' : 'assign.update'
  const kind = update.on === 'assigned' ? 'an unassign request' : 'an update'
  const request = `${kind} without ${name.replace('unassign-', '')}`
  const path = name.startsWith('unassign-') ? name.replace('-', '.') : `update.${name}`

  clause(`assign.required.${name}`, {
    must: `leave the assignment unchanged after ${request}`,
    operation,
    ...noEffect,
    seen: withEffect(mistakenUpdates(path, 'missing', update.what)),
  })(watchedAll(update))

  clause(`assign.required.${name}.status`, {
    should: `reject ${request}`,
    operation,
    ...refused,
    seen: mistakenUpdates(path, 'missing'),
  })(sent(update))
}

const otherlyTyped = mistakenUpdates('update.assigned_to_type', 'form', 'of another type')
const noType: Find = (moment) =>
  isReadAsType(objectIn(moment.seen.sent).assigned_to_type) ? undefined : otherlyTyped(moment)

clause('assign.type-values', {
  must: 'leave the assignment unchanged after an update whose assigned_to_type is neither USER nor TEAM in any letter case',
  ...noEffect,
  seen: withEffect(noType),
})(watchedAll(...noTypes))

clause('assign.type-values.status', {
  should:
    'reject an update whose assigned_to_type is neither USER nor TEAM, compared case-sensitively',
  ...refused,
  seen: otherlyTyped,
})(sent(...otherTypes))

const unchanged = {
  ...noEffect,
  law: (one: Tried & Pick<Watched, 'traces'>) => [
    ...problemsOfAccepted(one),
    ...problemsOfEffect(one),
  ],
}

clause('assign.field-types', {
  should:
    'reject an update with ids or comments of the wrong JSON type, and leave the assignment unchanged',
  ...unchanged,
})(watchedAll(...wrongTypes))

clause('assign.refused-keeps-version', {
  should: 'leave updated_at unchanged after an update that is rejected for its body',
  reading:
    'updated_at changes when the task changes, and a rejected update does not change the task',
  law: problemsOfMoved,
  of: (refused) => `${describeTried(refused)}, and updated_at is unchanged`,
  needs,
  none: ['clause', 'each of them had an effect', 'assign.field-types'],
  seen: touchedUpdates,
})(async ({ attempts }) => attempts.unmoved(await attempts.all([...otherTypes, ...wrongTypes])))

clause('assign.not-json', {
  should: 'reject an update whose body is not JSON, and leave the assignment unchanged',
  ...unchanged,
  seen: unreadableUpdates(notJson.what),
})(watchedAll(notJson))

clause('assign.content-type-required', {
  should:
    'reject an update that is not sent as application/json, and leave the assignment unchanged',
  ...unchanged,
})(watchedAll(asText))

clause('assign.status-of-invalid-body', {
  observe: 'the status of the response to each kind of invalid body',
  section: 'Errors',
  operation: 'assign.update',
  look: byKind(statusOfRefusal),
  needs,
})(async ({ attempts }) => {
  const invalid = [...otherTypes, ...wrongTypes].map((update) => [update.what, update] as const)
  const kinds = { ...required, ...Object.fromEntries(invalid), ...otherFormats }
  const tried = Object.entries(kinds).map(async ([kind, update]) => {
    const { answer } = await attempts.try(update)
    return { kind, answer }
  })
  return Promise.all(tried)
})
