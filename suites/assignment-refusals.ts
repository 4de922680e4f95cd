import { expect } from '../engine/clause/matchers.ts'
import { isAccepted } from '../engine/http/answers.ts'
import { clausesOf } from '../helpers/clause.ts'
import {
  type Attempt,
  type AttemptResult,
  asUpdate,
  type Pool,
} from '../helpers/updates/attempt.ts'
import { type Attempts, describeTried, expectNotCarriedOut } from '../helpers/updates/attempts.ts'
import { movedAmong, problemsOfMoved } from '../helpers/updates/moved.ts'

const clause = clausesOf({ title: 'Refused updates', section: 'Update a task assignment' })

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
/** A service may read this one as USER: what it assigns to is not in doubt. */
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

/** What needs no look of its own right after it is sent together. */
const pool: Pool = {
  name: 'updates in another format',
  attempts: [notJson, asText],
}
const tryPooled = (attempts: Attempts, updates: Attempt[]) =>
  Promise.all(updates.map((update) => attempts.tryIn(pool, update)))

for (const [name, update] of Object.entries(required)) {
  const operation = update.on === 'assigned' ? 'assign.unassign' : 'assign.update'

  clause(`assign.required.${name}`, {
    must: `not carry out an update ${update.what}`,
    operation,
  })(async ({ attempts, note }) =>
    note(await expectNotCarriedOut(attempts, await tryAll(attempts, [update]))),
  )

  clause(`assign.required.${name}.status`, {
    should: `refuse an update ${update.what}`,
    operation,
  })(async ({ attempts, note }) => note(expectRefused(await tryAll(attempts, [update]))))
}

clause('assign.type-values', {
  must: 'not carry out an update to anything but USER or TEAM',
})(async ({ attempts, note }) =>
  note(await expectNotCarriedOut(attempts, await tryAll(attempts, noTypes))),
)

clause('assign.type-values.status', {
  should: 'refuse an update to anything but USER or TEAM, in other letter case too',
})(async ({ attempts, note }) => note(expectRefused(await tryAll(attempts, otherTypes))))

clause('assign.field-types', {
  should: 'refuse ids and comments of a wrong JSON type, and change nothing',
})(async ({ attempts, note }) =>
  note(await expectUnchanged(attempts, await tryAll(attempts, wrongTypes))),
)

clause('assign.refused-keeps-version', {
  should: 'leave updated_at as it was after an update that is refused for its body',
  reading:
    'updated_at changes when the task changes, and an update that is refused changes nothing',
})(async ({ attempts, service, session, control, people, note }) => {
  const tried = await tryAll(attempts, [...otherTypes, ...wrongTypes])
  const [moved] = movedAmong(tried)
  const deps = { ...session, service, people, commented: control.commented }
  const isJudged = moved && moved.answer.status !== 409
  expect(isJudged ? await problemsOfMoved(moved, deps, session.stop) : []).toBeNone()
  note(`updated_at as before after ${tried.length} updates`)
})

clause('assign.not-json', {
  should: 'refuse a body that is not JSON, and change nothing',
})(async ({ attempts, note }) =>
  note(await expectUnchanged(attempts, await tryPooled(attempts, [notJson]))),
)

clause('assign.content-type-required', {
  should: 'refuse a body that is not sent as application/json, and change nothing',
})(async ({ attempts, note }) =>
  note(await expectUnchanged(attempts, await tryPooled(attempts, [asText]))),
)

clause('assign.status-of-invalid-body', {
  observe: 'how invalid bodies are refused',
  section: 'Errors',
  operation: 'assign.update',
})(async ({ attempts }) => {
  const byName = [...otherTypes, ...wrongTypes].map((update) => [update.what, update])
  const kinds: Record<string, Attempt> = {
    ...required,
    ...Object.fromEntries(byName),
    'not JSON': notJson,
    'text/plain': asText,
  }
  const isPooled = (update: Attempt) => pool.attempts.includes(update)
  const tryIt = async (update: Attempt) =>
    isPooled(update) ? attempts.tryIn(pool, update) : attempts.try(update)
  const tried = await Promise.all(Object.values(kinds).map(tryIt))
  const refusals = tried.map(({ answer }) => (isAccepted(answer) ? 'accepted' : answer.status))
  return Object.fromEntries(Object.keys(kinds).map((name, at) => [name, refusals[at] ?? null]))
})

const tryAll = (attempts: Attempts, updates: Attempt[]) => Promise.all(updates.map(attempts.try))

function expectRefused(tried: AttemptResult[]): string {
  for (const { answer } of tried) expect(answer).toBeRefused()
  return describeTried(tried)
}

async function expectUnchanged(attempts: Attempts, tried: AttemptResult[]): Promise<string> {
  expectRefused(tried)
  return expectNotCarriedOut(attempts, tried)
}
