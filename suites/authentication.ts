import { describe } from 'vitest'
import { expect } from '../engine/clause/matchers.ts'
import type { Answer } from '../engine/http/client.ts'
import { NotDecidable, Trouble } from '../engine/outcome.ts'
import type { Door } from '../helpers/access/key-probes.ts'
import { clause } from '../helpers/clause.ts'
import { sameAssignment } from '../helpers/loans/put-back.ts'
import { namedMembers } from '../helpers/reads/readings.ts'
import {
  isAccepted,
  isObject,
  jsonIn,
  premise,
  premisePermitted,
  told,
} from '../helpers/service/answers.ts'
import { invalidKeysLike, otherCase } from '../helpers/service/keys.ts'
import { type Operation, operations } from '../helpers/service/operations.ts'
import { shown } from '../helpers/service/schema.ts'
import type { How } from '../helpers/service/service.ts'
import { sameId } from '../helpers/updates/step.ts'

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
        await expectShut(door, { key: null })
      },
    )

    clause(
      `auth.invalid-key.${operation}`,
      {
        must: 'answer 401 to a random key, an empty one, and ones that come close to the real one',
        section,
        operation,
      },
      async ({ doors, settings, random }) => {
        const door = await doors.to(operation)
        for (const [what, key] of invalidKeysLike(settings.apiKey, random))
          await expectShut(door, { key }, what)
      },
    )

    clause(
      `auth.key-case.${operation}`,
      { should: 'answer 401 to the key in another letter case', section, operation },
      async ({ doors, settings }) => {
        const key = otherCase(settings.apiKey)
        premise(key !== settings.apiKey, 'the key holds no letter whose case could be changed')
        const door = await doors.to(operation)
        await expectShut(door, { key })
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
      const { apiKey } = settings
      const carriers: Record<string, How> = {
        'the key as Authorization': { headers: { authorization: `Bearer ${apiKey}` } },
        'the key as X-Api-Key': { headers: { 'x-api-key': apiKey } },
        // Addresses end up in logs: not on a service that is somebody's.
        ...(settings.embedded && {
          'the key in the query': { query: `apikey=${encodeURIComponent(apiKey)}` },
        }),
      }
      const open = await openReads(doors.to)
      for (const door of open)
        for (const [what, carrier] of Object.entries(carriers))
          await expectShut(door, { key: null, ...carrier }, what)
    },
  )

  clause(
    'auth.refused-changes-nothing',
    { must: 'leave the task as it was when an update is refused with 401', section },
    async ({ doors, random, settings, session }) => {
      const keys = [random.string.alphanumeric(32), null, '']
      for (const operation of ['assign.update', 'assign.unassign'] as const) {
        const door = await doors.to(operation)
        const { steady, task } =
          door.loan ?? missing(session.known.noTask ?? 'set TASK_IDS, ACTOR_ID and USER_IDS')
        // What is unassigned already would hide that it was unassigned.
        const before = await door.prepare()
        const refused: Answer[] = []
        for (const key of keys) refused.push(await door.knock({ key }))
        const told401 = refused.filter(({ status }) => status === 401)
        premise(
          told401.length === keys.length,
          `not every bad key got 401: see auth.*.${operation}`,
        )
        await steady.watch(task.id, ({ assignment }) => {
          if (sameAssignment(assignment, before)) return
          const nobody = assignment === null || before === null
          const asked = sameId(assignment?.assigned_to_id, settings.userIds[0])
          if (!nobody && !asked) throw new Trouble('somebody else changed the task meanwhile')
          const became = `the assignment became ${shown(assignment)}`
          expect([`after ${keys.length} updates refused with 401 ${became}`]).toBeNone()
        })
        await door.leave()
      }
    },
  )

  clause(
    'auth.refused-reveals-nothing',
    { should: 'show nothing of the resource in the body of a 401', section },
    async ({ doors, random }) => {
      let compared = 0
      for (const operation of ['task.read', 'assessment.read'] as const) {
        const door = await doors.to(operation)
        if (!door.leadsSomewhere || !isAccepted(door.control)) continue
        for (const key of [random.string.alphanumeric(32), null]) {
          const answer = await door.knock({ key })
          if (answer.status !== 401) continue
          compared += 1
          const secrets = tellingValues(operation, jsonIn(door.control), answer.path)
          const text = answer.text.toLowerCase()
          const seen = secrets.filter((value) => text.includes(value.toLowerCase()))
          expect(seen.map((value) => `${told(answer)} and shows ${value}`)).toBeNone()
        }
      }
      premise(compared > 0, 'no 401 was got for anything that can be read')
    },
  )

  clause(
    'auth.wrong-region',
    { should: 'answer 401 to the key at the address of another region', section },
    async ({ doors, settings }) => {
      const base = settings.wrongRegionUrl
      premise(base !== undefined, 'set WRONG_REGION_URL: the base address of another region')
      const door = await anyRead(doors.to)
      await expectShut(door, { base, sendKeyElsewhere: true })
    },
  )

  clause(
    'auth.ip-allow-list',
    { should: 'answer 401 to the key from an address that is not on the allow list', section },
    async ({ doors, outside }) => {
      const door = await anyRead(doors.to)
      await expectShut(door, { via: outside })
    },
  )
})

/**
 * A refusal tells something only where the same request with the valid key is let in; before a
 * refusal of another kind condemns, that is asked once more, of the very same task.
 */
async function expectShut(door: Door, how: How, given?: string): Promise<void> {
  const answer = await door.knock(how)
  if (!isAccepted(answer)) {
    needControl(door, door.control, answer)
    if (answer.status !== 401 && door.leadsSomewhere)
      needControl(door, await door.knock({}), answer)
  }
  expect(answer, given).toHaveStatus(401)
}

function needControl({ leadsSomewhere, operation }: Door, control: Answer, answer: Answer): void {
  if (control.status >= 500) throw new Trouble(`${told(control)} to the valid key`)
  if (operation === 'export' && answer.status === 500)
    throw new Trouble(`${told(answer)}, which the contract allows for on the export`)
  if (leadsSomewhere) {
    premisePermitted(control)
    premise(isAccepted(control), `${told(control)} to the valid key too`)
    return
  }
  premise(control.status !== 401, `${told(control)} to the valid key too`)
  premise(
    answer.status === 401,
    `${told(answer)}: it may have been refused for the id or the people in it, as none that the service has is configured`,
  )
}

function needServed({ control, leadsSomewhere }: Door): void {
  premise(leadsSomewhere, 'whether the service has the operation at all needs an id that it has')
  premise(isAccepted(control), `${told(control)} to the valid key and an id that exists`)
}

/** The reads that the valid key is let in to. */
async function openReads(to: (operation: Operation) => Promise<Door>): Promise<Door[]> {
  const doors = await Promise.all(
    (['task.read', 'assessment.read', 'export'] as const).map((each) => to(each)),
  )
  const open = doors.filter(({ leadsSomewhere, control }) => leadsSomewhere && isAccepted(control))
  premise(open.length > 0, 'no read is known to be let in with the valid key')
  return open
}

/** The cheapest of them. */
const anyRead = async (to: (operation: Operation) => Promise<Door>) =>
  (await openReads(to))[0] ?? missing('no read is let in')

/**
 * The strings of a resource's own fields that are long enough to be recognised: not words of the
 * contract, and nothing that the request carried.
 */
function tellingValues(operation: Operation, value: unknown, path: string): string[] {
  if (!isObject(value)) return []
  const resource = operation === 'task.read' ? 'task' : 'assessment'
  const { status: _, workflow_state: __, assignment, ...rest } = namedMembers(resource, value)
  const { assigned_to_type: ___, ...person } = isObject(assignment) ? assignment : {}
  return [...Object.values(rest), ...Object.values(person)].filter(
    (each): each is string =>
      typeof each === 'string' &&
      each.length >= 8 &&
      !path.toLowerCase().includes(each.toLowerCase()),
  )
}

function missing(what: string): never {
  throw new NotDecidable(what)
}
