import { describe } from 'vitest'
import { expect } from '../engine/clause/matchers.ts'
import { describeAnswer, isAccepted } from '../engine/http/answers.ts'
import { clause } from '../helpers/clause.ts'
import type { Attempt, Tried } from '../helpers/updates/attempt.ts'
import type { Attempts } from '../helpers/updates/attempts.ts'
import { movedAmong, problemsOfMoved } from '../helpers/updates/moved.ts'

const section = 'Update a task assignment'

const without = (field: string): Attempt => ({
  what: `without ${field}`,
  on: 'any',
  body: (valid) => ({
    update: Object.fromEntries(Object.entries(valid).filter(([name]) => name !== field)),
  }),
})

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

const ofType = (type: string): Attempt => ({
  what: `of the type ${type}`,
  on: 'any',
  body: (valid) => ({ update: { ...valid, assigned_to_type: type } }),
})
const otherTypes = [ofType('PERSON'), ofType('user'), ofType('')]

const withValue = (field: string, value: unknown): Attempt => ({
  what: `whose ${field} is ${JSON.stringify(value)}`,
  on: 'any',
  body: (valid) => ({ update: { ...valid, [field]: value } }),
})
const wrongTypes = [
  withValue('assigned_to_id', 7),
  withValue('assigned_by_id', {}),
  withValue('assignment_comment', 5),
]

const notJson: Attempt = {
  what: 'whose body is not JSON',
  on: 'any',
  body: (valid) => JSON.stringify({ update: valid }).slice(0, -1),
}

const asText: Attempt = {
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
      async ({ attempts, note }) =>
        note(await expectNotCarriedOut(attempts, [await attempts.try(update)])),
    )
    clause(
      `assign.required.${name}.status`,
      { should: `refuse an update ${update.what}`, section, operation },
      async ({ attempts, note }) => {
        const { answer } = await attempts.try(update)
        expect(answer).toBeRefused()
        note(describeAnswer(answer))
      },
    )
  }

  clause(
    'assign.type-values',
    { must: 'not carry out an update to anything but USER or TEAM', section },
    async ({ attempts, note }) => {
      const tried = await all(otherTypes, attempts.try)
      note(await expectNotCarriedOut(attempts, tried))
    },
  )

  clause(
    'assign.type-values.status',
    { should: 'refuse an update to anything but USER or TEAM', section },
    async ({ attempts, note }) => {
      const tried = await all(otherTypes, attempts.try)
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
    async ({ attempts, note }) =>
      note(await expectRefused(attempts, await all(wrongTypes, attempts.try))),
  )

  clause(
    'assign.refused-keeps-version',
    {
      should: 'leave updated_at as it was after an update that is refused for its body',
      section,
      reading:
        'updated_at changes when the task changes, and an update that is refused changes nothing',
    },
    async ({ attempts, service, session, control, people, note }) => {
      const tried = await all([...otherTypes, ...wrongTypes], attempts.try)
      const [moved] = movedAmong(tried)
      const deps = { ...session, service, people, commented: control.commented }
      const problems =
        moved && moved.answer.status !== 409 ? await problemsOfMoved(moved, deps, session.stop) : []
      expect(problems).toBeNone()
      note(`updated_at as before after ${tried.length} updates`)
    },
  )

  clause(
    'assign.not-json',
    { should: 'refuse a body that is not JSON, and change nothing', section },
    async ({ attempts, note }) =>
      note(await expectRefused(attempts, [await attempts.try(notJson)])),
  )

  clause(
    'assign.content-type-required',
    { should: 'refuse a body that is not sent as application/json, and change nothing', section },
    async ({ attempts, note }) => note(await expectRefused(attempts, [await attempts.try(asText)])),
  )

  clause(
    'assign.status-of-invalid-body',
    { observe: 'how invalid bodies are refused', section: 'Errors', operation: 'assign.update' },
    async ({ attempts }) => {
      const kinds: [string, Attempt][] = [
        ...Object.entries(required),
        ...otherTypes.map((update): [string, Attempt] => [update.what, update]),
        ...wrongTypes.map((update): [string, Attempt] => [update.what, update]),
        ['not JSON', notJson],
        ['text/plain', asText],
      ]
      const seen = await Promise.all(
        kinds.map(async ([name, update]) => [name, refusal(await attempts.try(update))] as const),
      )
      return Object.fromEntries(seen)
    },
  )
})

const all = <T>(update: Attempt[], attempt: (update: Attempt) => Promise<T>): Promise<T[]> =>
  Promise.all(update.map(attempt))

async function expectNotCarriedOut({ carriedOut }: Attempts, tried: Tried[]): Promise<string> {
  expect(await carriedOut(tried)).toBeNone()
  return `${describeTried(tried)}, and reads show the assignment as before`
}

async function expectRefused(attempts: Attempts, tried: Tried[]): Promise<string> {
  for (const { answer } of tried) expect(answer).toBeRefused()
  return expectNotCarriedOut(attempts, tried)
}

const describeTried = (tried: Tried[]) =>
  `answered ${tried.map(({ answer }) => answer.status).join(', ')}`

const refusal = ({ answer }: Tried) => (isAccepted(answer) ? 'accepted' : answer.status)
