import { describe } from 'vitest'
import { expect } from '../engine/clause/matchers.ts'
import { describeAnswer, isAccepted, isRefused } from '../engine/http/answers.ts'
import { problem } from '../engine/problem.ts'
import { clause } from '../helpers/clause.ts'
import { type Moved, movedAmong, sendToStill } from '../helpers/updates/after-mismatch.ts'
import type { RefusedUpdate, UpdateOutcome } from '../helpers/updates/refused-update.ts'
import type { RefusedUpdates } from '../helpers/updates/refused-updates.ts'

const section = 'Update a task assignment'

const without = (field: string): RefusedUpdate => ({
  what: `without ${field}`,
  on: 'any',
  body: (valid) => ({
    update: Object.fromEntries(Object.entries(valid).filter(([name]) => name !== field)),
  }),
})

const required: Record<string, RefusedUpdate> = {
  assigned_by_id: without('assigned_by_id'),
  assigned_to_id: without('assigned_to_id'),
  assigned_to_type: without('assigned_to_type'),
  'unassign-assigned_by_id': {
    what: 'that unassigns without assigned_by_id',
    on: 'assigned',
    body: (_, comment) => ({ unassign: { assignment_comment: comment } }),
  },
}

const ofType = (type: string): RefusedUpdate => ({
  what: `of the type ${type}`,
  on: 'any',
  body: (valid) => ({ update: { ...valid, assigned_to_type: type } }),
})
const otherTypes = [ofType('PERSON'), ofType('user'), ofType('')]

const withValue = (field: string, value: unknown): RefusedUpdate => ({
  what: `whose ${field} is ${JSON.stringify(value)}`,
  on: 'any',
  body: (valid) => ({ update: { ...valid, [field]: value } }),
})
const wrongTypes = [
  withValue('assigned_to_id', 7),
  withValue('assigned_by_id', {}),
  withValue('assignment_comment', 5),
]

const notJson: RefusedUpdate = {
  what: 'whose body is not JSON',
  on: 'any',
  body: (valid) => JSON.stringify({ update: valid }).slice(0, -1),
}

const asText: RefusedUpdate = {
  what: 'sent as text/plain',
  on: 'any',
  body: (valid) => ({ update: valid }),
  how: { headers: { 'content-type': 'text/plain' } },
}

describe('Refused updates', () => {
  for (const [name, update] of Object.entries(required)) {
    const operation = update.on === 'assigned' ? 'assign.unassign' : 'assign.update'
    clause(
      `assign.required.${name}`,
      { must: `not carry out an update ${update.what}`, section, operation },
      async ({ refusedUpdates, note }) =>
        note(await expectNotCarriedOut(refusedUpdates, [await refusedUpdates.try(update)])),
    )
    clause(
      `assign.required.${name}.status`,
      { should: `refuse an update ${update.what}`, section, operation },
      async ({ refusedUpdates, note }) => {
        const { answer } = await refusedUpdates.try(update)
        expect(answer).toBeRefused()
        note(describeAnswer(answer))
      },
    )
  }

  clause(
    'assign.type-values',
    { must: 'not carry out an update to anything but USER or TEAM', section },
    async ({ refusedUpdates, note }) => {
      const tried = await all(otherTypes, refusedUpdates.try)
      note(await expectNotCarriedOut(refusedUpdates, tried))
    },
  )

  clause(
    'assign.type-values.status',
    { should: 'refuse an update to anything but USER or TEAM', section },
    async ({ refusedUpdates, note }) => {
      const tried = await all(otherTypes, refusedUpdates.try)
      for (const { answer } of tried) expect(answer).toBeRefused()
      note(describeTried(tried))
    },
  )

  clause(
    'assign.field-types',
    {
      should: 'refuse ids and comments of a wrong JSON type, and change nothing',
      section,
    },
    async ({ refusedUpdates, note }) =>
      note(await expectRefused(refusedUpdates, await all(wrongTypes, refusedUpdates.try))),
  )

  clause(
    'assign.refused-keeps-version',
    {
      should: 'leave updated_at as it was after an update that is refused for its body',
      section,
      reading:
        'updated_at changes when the task changes, and an update that is refused changes nothing',
    },
    async ({ refusedUpdates, service, session, people, actor, note }) => {
      const tried = await all([...otherTypes, ...wrongTypes], refusedUpdates.try)
      const moved = movedAmong(tried)
      const { lending, stop, taskWatch } = session
      const given = {
        lending,
        service,
        people,
        actor,
        stop,
        windowMs: taskWatch.patience.windowMs(),
      }
      const isMoved = ({ answer, before, after }: Moved) =>
        isRefused(answer) && answer.status !== 409 && after.updated_at !== before.updated_at
      const problemsOf = async ({ update }: UpdateOutcome) => {
        const [first, second] = [await sendToStill(update, given), await sendToStill(update, given)]
        // Somebody else may have changed the task just then: it is held against the service if it comes again.
        if (!isMoved(first) || !isMoved(second)) return []
        const { answer, before, after } = second
        return [
          problem(`${describeAnswer(answer)} to an update ${update.what}, and updated_at is new`, {
            expected: before.updated_at,
            got: after.updated_at,
            judged: [answer, after],
            control: before,
            again: { holds: 't.updated_at === o.updated_at' },
          }),
        ]
      }
      const [one] = moved
      expect(one ? await problemsOf(one) : []).toBeNone()
      note(`updated_at as before after ${tried.length} updates`)
    },
  )

  clause(
    'assign.not-json',
    { should: 'refuse a body that is not JSON, and change nothing', section },
    async ({ refusedUpdates, note }) =>
      note(await expectRefused(refusedUpdates, [await refusedUpdates.try(notJson)])),
  )

  clause(
    'assign.content-type-required',
    { should: 'refuse a body that is not sent as application/json, and change nothing', section },
    async ({ refusedUpdates, note }) =>
      note(await expectRefused(refusedUpdates, [await refusedUpdates.try(asText)])),
  )

  clause(
    'assign.status-of-invalid-body',
    { observe: 'how invalid bodies are refused', section: 'Errors', operation: 'assign.update' },
    async ({ refusedUpdates }) => {
      const kinds: [string, RefusedUpdate][] = [
        ...Object.entries(required),
        ...otherTypes.map((update): [string, RefusedUpdate] => [update.what, update]),
        ...wrongTypes.map((update): [string, RefusedUpdate] => [update.what, update]),
        ['not JSON', notJson],
        ['text/plain', asText],
      ]
      const seen = await Promise.all(
        kinds.map(
          async ([name, update]) => [name, refusal(await refusedUpdates.try(update))] as const,
        ),
      )
      return Object.fromEntries(seen)
    },
  )
})

const all = <T>(
  update: RefusedUpdate[],
  attempt: (update: RefusedUpdate) => Promise<T>,
): Promise<T[]> => Promise.all(update.map(attempt))

async function expectNotCarriedOut(
  { carriedOut }: RefusedUpdates,
  tried: UpdateOutcome[],
): Promise<string> {
  expect(await carriedOut(tried)).toBeNone()
  return `${describeTried(tried)}, and reads show the assignment as before`
}

async function expectRefused(
  refusedUpdates: RefusedUpdates,
  tried: UpdateOutcome[],
): Promise<string> {
  for (const { answer } of tried) expect(answer).toBeRefused()
  return expectNotCarriedOut(refusedUpdates, tried)
}

const describeTried = (tried: UpdateOutcome[]) =>
  `answered ${tried.map(({ answer }) => answer.status).join(', ')}`

const refusal = ({ answer }: UpdateOutcome) => (isAccepted(answer) ? 'accepted' : answer.status)
