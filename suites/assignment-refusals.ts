import { describe } from 'vitest'
import { expect } from '../engine/clause/matchers.ts'
import { clause } from '../helpers/clause.ts'
import { updateByAssessment } from '../helpers/reads/other-kind.ts'
import { isAccepted, premise, told } from '../helpers/service/answers.ts'
import { unassignBody, updateBody } from '../helpers/service/service.ts'
import type { Attempt, Faulty } from '../helpers/updates/refused-update.ts'
import type { Attempts } from '../helpers/updates/refused-updates.ts'

const section = 'Update a task assignment'

const without = (field: string): Faulty => ({
  what: `without ${field}`,
  on: 'any',
  body: (valid) => ({
    update: Object.fromEntries(Object.entries(valid).filter(([name]) => name !== field)),
  }),
})

const required: Record<string, Faulty> = {
  assigned_by_id: without('assigned_by_id'),
  assigned_to_id: without('assigned_to_id'),
  assigned_to_type: without('assigned_to_type'),
  'unassign-assigned_by_id': {
    what: 'that unassigns without assigned_by_id',
    on: 'assigned',
    body: (_, comment) => ({ unassign: { assignment_comment: comment } }),
  },
}

const ofType = (type: string): Faulty => ({
  what: `of the type ${type}`,
  on: 'any',
  body: (valid) => ({ update: { ...valid, assigned_to_type: type } }),
})
const otherTypes = [ofType('PERSON'), ofType('user'), ofType('')]

const withValue = (field: string, value: unknown): Faulty => ({
  what: `whose ${field} is ${JSON.stringify(value)}`,
  on: 'any',
  body: (valid) => ({ update: { ...valid, [field]: value } }),
})
const wrongTypes = [
  withValue('assigned_to_id', 7),
  withValue('assigned_by_id', {}),
  withValue('assignment_comment', 5),
]

const notJson: Faulty = {
  what: 'whose body is not JSON',
  on: 'any',
  body: (valid) => JSON.stringify({ update: valid }).slice(0, -1),
}

const asText: Faulty = {
  what: 'sent as text/plain',
  on: 'any',
  body: (valid) => ({ update: valid }),
  how: { headers: { 'content-type': 'text/plain' } },
}

describe('Refused updates', () => {
  for (const kind of ['update', 'unassign'] as const) {
    clause(
      `assign.not-found.${kind}`,
      {
        must: 'answer 404 to an update of a task that does not exist',
        section: 'Errors',
        operation: `assign.${kind}`,
      },
      async ({ service, session, attempts, unknownId, actor, user }) => {
        const body = kind === 'update' ? updateBody(actor, user) : unassignBody(actor)
        const version = new Date().toISOString()
        const answer = await service.put(unknownId, version, body)
        if (answer.status !== 404) await attempts.needControl(kind)
        premise(answer.status !== 401, `${told(answer)} to the valid key`)
        expect(answer).toHaveStatus(404)
        // Unassigned, a task that is not ours would have lost what nobody wrote down.
        if (kind === 'unassign') return
        const { assessmentId } = session.known.readable
        const other = await updateByAssessment(assessmentId, { service, attempts, body })
        if (other) expect(other).toHaveStatus(404)
      },
    )
  }

  for (const [name, faulty] of Object.entries(required)) {
    const operation = faulty.on === 'assigned' ? 'assign.unassign' : 'assign.update'
    clause(
      `assign.required.${name}`,
      { must: `not carry out an update ${faulty.what}`, section, operation },
      async ({ attempts }) => expectNotCarriedOut(attempts, [await attempts.of(faulty)]),
    )
    clause(
      `assign.required.${name}.status`,
      { should: `refuse an update ${faulty.what}`, section, operation },
      async ({ attempts }) => {
        expect((await attempts.of(faulty)).answer).toBeRefused()
      },
    )
  }

  clause(
    'assign.type-values',
    { must: 'not carry out an update to anything but USER or TEAM', section },
    async ({ attempts }) => expectNotCarriedOut(attempts, await all(otherTypes, attempts.of)),
  )

  clause(
    'assign.type-values.status',
    { should: 'refuse an update to anything but USER or TEAM', section },
    async ({ attempts }) => {
      for (const { answer } of await all(otherTypes, attempts.of)) expect(answer).toBeRefused()
    },
  )

  clause(
    'assign.field-types',
    { should: 'refuse ids and comments of a wrong JSON type, and change nothing', section },
    async ({ attempts }) => expectRefused(attempts, await all(wrongTypes, attempts.of)),
  )

  clause(
    'assign.not-json',
    { should: 'refuse a body that is not JSON, and change nothing', section },
    async ({ attempts }) => expectRefused(attempts, [await attempts.of(notJson)]),
  )

  clause(
    'assign.content-type-required',
    { should: 'refuse a body that is not sent as application/json, and change nothing', section },
    async ({ attempts }) => expectRefused(attempts, [await attempts.of(asText)]),
  )

  clause(
    'assign.status-of-invalid-body',
    { observe: 'how invalid bodies are refused', section: 'Errors', operation: 'assign.update' },
    async ({ attempts }) => {
      const kinds: [string, Faulty][] = [
        ...Object.entries(required),
        ...otherTypes.map((faulty): [string, Faulty] => [faulty.what, faulty]),
        ...wrongTypes.map((faulty): [string, Faulty] => [faulty.what, faulty]),
        ['not JSON', notJson],
        ['text/plain', asText],
      ]
      const seen = await Promise.all(
        kinds.map(async ([name, faulty]) => [name, refusal(await attempts.of(faulty))] as const),
      )
      return Object.fromEntries(seen)
    },
  )
})

const all = <T>(faulty: Faulty[], attempt: (faulty: Faulty) => Promise<T>): Promise<T[]> =>
  Promise.all(faulty.map(attempt))

async function expectNotCarriedOut({ carriedOut }: Attempts, tried: Attempt[]): Promise<void> {
  expect(await carriedOut(tried)).toBeNone()
}

async function expectRefused(attempts: Attempts, tried: Attempt[]): Promise<void> {
  for (const { answer } of tried) expect(answer).toBeRefused()
  await expectNotCarriedOut(attempts, tried)
}

const refusal = ({ answer }: Attempt) => (isAccepted(answer) ? 'accepted' : answer.status)
