import { describe } from 'vitest'
import {
  isAccepted,
  isObject,
  jsonIn,
  premise,
  premisePermitted,
  told,
} from '../helpers/answers.ts'
import { clause } from '../helpers/clause.ts'
import type { Door } from '../helpers/doors.ts'
import type { Answer } from '../helpers/http/client.ts'
import { invalidKeysLike, otherCase } from '../helpers/keys.ts'
import { sameAssignment } from '../helpers/loans/restore.ts'
import { expect } from '../helpers/matchers.ts'
import { type Operation, operations } from '../helpers/operations.ts'
import { NotDecidable, Trouble } from '../helpers/outcome.ts'
import type { How } from '../helpers/service.ts'

const section = 'Authentication'
const everyOperation = Object.keys(operations) as Operation[]
const withId = everyOperation.filter((operation) => operation !== 'export')

describe('Authentication', () => {
  for (const operation of everyOperation) {
    clause(
      `auth.missing-key.${operation}`,
      { must: 'answer 401 when the apikey header is missing', section, operation },
      async ({ doors }) => {
        const door = await doors.to(operation)
        expectShut(door, await door.knock({ key: null }))
      },
    )

    clause(
      `auth.invalid-key.${operation}`,
      {
        must: 'answer 401 to a random key, an empty one, a part of the real one, and the real one with a suffix',
        section,
        operation,
      },
      async ({ doors, settings, random }) => {
        const door = await doors.to(operation)
        for (const [what, key] of invalidKeysLike(settings.apiKey, random))
          expectShut(door, await door.knock({ key }), what)
      },
    )

    clause(
      `auth.key-case.${operation}`,
      { should: 'answer 401 to the key in another letter case', section, operation },
      async ({ doors, settings }) => {
        const key = otherCase(settings.apiKey)
        premise(key !== settings.apiKey, 'the key holds no letter whose case could be changed')
        const door = await doors.to(operation)
        expectShut(door, await door.knock({ key }))
      },
    )
  }

  for (const operation of withId) {
    clause(
      `auth.before-lookup.${operation}`,
      {
        should: 'answer 401, not 404, to a bad key with an unknown id',
        section,
        operation,
      },
      async ({ doors, random }) => {
        const door = await doors.to(operation, { nowhere: true })
        const answer = await door.knock({ key: random.string.alphanumeric(32) })
        premise(door.control.status !== 401, `${told(door.control)} to the valid key too`)
        // A mock that does not have the operation at all answers 404 as well.
        if (answer.status !== 401) needServed(await doors.to(operation))
        expect(answer).toHaveStatus(401)
      },
    )
  }

  clause(
    'auth.other-carriers',
    {
      must: 'answer 401 when the valid key comes in another header (or, on the embedded service, in the query) and the apikey header is missing',
      section,
    },
    async ({ doors, settings }) => {
      const door = await anyRead(doors.to)
      const { apiKey } = settings
      const carriers: Record<string, How> = {
        'the key as Authorization': { headers: { authorization: `Bearer ${apiKey}` } },
        'the key as X-Api-Key': { headers: { 'x-api-key': apiKey } },
        // Addresses end up in logs: not on a service that is somebody's.
        ...(settings.embedded && {
          'the key in the query': { query: `apikey=${encodeURIComponent(apiKey)}` },
        }),
      }
      for (const [what, carrier] of Object.entries(carriers))
        expectShut(door, await door.knock({ key: null, ...carrier }), what)
    },
  )

  clause(
    'auth.refused-changes-nothing',
    { must: 'leave the task as it was when an update is refused with 401', section },
    async ({ doors, random, settings }) => {
      for (const operation of ['assign.update', 'assign.unassign'] as const) {
        const door = await doors.to(operation)
        const { task, steady } = door.loan ?? missing('set TASK_IDS, ACTOR_ID and USER_IDS')
        const before = (await steady.settled(task.id)).assignment
        const answer = await door.knock({ key: random.string.alphanumeric(32) })
        premise(answer.status === 401, `${told(answer)}: see auth.invalid-key.${operation}`)
        await steady.watch(task.id, (seen) => {
          if (sameAssignment(seen.assignment, before)) return
          const asked = operation === 'assign.unassign' ? null : settings.userIds[0]
          const theirs = (seen.assignment?.assigned_to_id ?? null) !== asked
          if (theirs) throw new Trouble('somebody else changed the task meanwhile')
          expect(seen.assignment, `the assignment after ${told(answer)}`).toEqual(before)
        })
        await door.leave()
      }
    },
  )

  clause(
    'auth.refused-reveals-nothing',
    { should: 'show nothing of the resource in the body of a 401', section },
    async ({ doors, random }) => {
      for (const operation of ['task.read', 'assessment.read'] as const) {
        const door = await doors.to(operation)
        if (!door.leadsSomewhere || !isAccepted(door.control)) continue
        const answer = await door.knock({ key: random.string.alphanumeric(32) })
        premise(answer.status === 401, `${told(answer)}: see auth.invalid-key.${operation}`)
        const secrets = tellingValues(jsonIn(door.control)).filter(
          (value) => !answer.path.includes(value),
        )
        const shown = secrets.filter((value) => answer.text.includes(value))
        expect(shown.map((value) => `${told(answer)} and shows ${value}`)).toBeNone()
      }
    },
  )

  clause(
    'auth.wrong-region',
    { should: 'answer 401 to the key at the address of another region', section },
    async ({ doors, settings }) => {
      const base = settings.wrongRegionUrl
      premise(base !== undefined, 'set WRONG_REGION_URL: the base address of another region')
      const door = await anyRead(doors.to)
      expectShut(door, await door.knock({ base, sendKeyElsewhere: true }))
    },
  )

  clause(
    'auth.ip-allow-list',
    { should: 'answer 401 to the key from an address that is not on the allow list', section },
    async ({ doors, outside }) => {
      const door = await anyRead(doors.to)
      expectShut(door, await door.knock({ via: outside }))
    },
  )
})

/** A refusal tells something only where the same request with the valid key is let in. */
function expectShut(door: Door, answer: Answer, given?: string): void {
  if (!isAccepted(answer)) needControl(door, answer)
  expect(answer, given).toHaveStatus(401)
}

function needControl({ control, leadsSomewhere }: Door, answer: Answer): void {
  if (control.status >= 500) throw new Trouble(`${told(control)} to the valid key`)
  if (leadsSomewhere) {
    premisePermitted(control)
    premise(isAccepted(control), `${told(control)} to the valid key too`)
    return
  }
  premise(control.status !== 401, `${told(control)} to the valid key too`)
  premise(
    answer.status !== 404,
    'the service looks the id up before the key, and no id that it has is configured',
  )
}

function needServed({ control, leadsSomewhere }: Door): void {
  premise(leadsSomewhere, 'whether the service has the operation at all needs an id that it has')
  premise(isAccepted(control), `${told(control)} to the valid key and an id that exists`)
}

/** The cheapest read that something known stands behind. */
async function anyRead(to: (operation: Operation) => Promise<Door>): Promise<Door> {
  for (const operation of ['task.read', 'assessment.read'] as const) {
    const door = await to(operation)
    if (door.leadsSomewhere && isAccepted(door.control)) return door
  }
  return to('task.read')
}

/** The strings of a resource that are long enough to be recognised. */
function tellingValues(value: unknown): string[] {
  if (typeof value === 'string') return value.length >= 8 ? [value] : []
  if (Array.isArray(value)) return value.flatMap(tellingValues)
  return isObject(value) ? Object.values(value).flatMap(tellingValues) : []
}

function missing(what: string): never {
  throw new NotDecidable(what)
}
