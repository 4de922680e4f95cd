import { describe } from 'vitest'
import { expect } from '../engine/clause/matchers.ts'
import { describeAnswer, isAccepted, isObject, jsonIn } from '../engine/http/answers.ts'
import type { Answer } from '../engine/http/client.ts'
import { NotDecidable, Trouble } from '../engine/outcome.ts'
import { shown } from '../engine/shown.ts'
import type { KeyProbe, KeyProbes } from '../helpers/access/key-probes.ts'
import { clause } from '../helpers/clause.ts'
import { namedMembers } from '../helpers/reads/readings.ts'
import { needPermitted, premise } from '../helpers/service/answers.ts'
import { isSameButAssigner } from '../helpers/service/assignments.ts'
import { ForeignChange } from '../helpers/service/foreign-change.ts'
import { isSameId } from '../helpers/service/ids.ts'
import { invalidKeysLike, otherCase } from '../helpers/service/keys.ts'
import { type Operation, operations } from '../helpers/service/operations.ts'
import type { How } from '../helpers/service/update-request.ts'

const section = 'Authentication'
const everyOperation = Object.keys(operations) as Operation[]
const withId = everyOperation.filter((operation) => operation !== 'export')

describe('Authentication', () => {
  for (const operation of everyOperation) {
    clause(
      `auth.missing-key.${operation}`,
      { must: 'answer 401 when the apikey header is missing', section, operation },
      async ({ keyProbes }) => {
        const probe = await keyProbes.of(operation)
        await expectUnauthorized(probe, { key: null })
      },
    )

    clause(
      `auth.invalid-key.${operation}`,
      {
        must: 'answer 401 to a random key, an empty one, and ones that come close to the real one',
        section,
        operation,
      },
      async ({ keyProbes, settings, random }) => {
        const probe = await keyProbes.of(operation)
        for (const [what, key] of invalidKeysLike(settings.apiKey, random))
          await expectUnauthorized(probe, { key }, what)
      },
    )

    clause(
      `auth.key-case.${operation}`,
      { should: 'answer 401 to the key in another letter case', section, operation },
      async ({ keyProbes, settings }) => {
        const key = otherCase(settings.apiKey)
        premise(key !== settings.apiKey, 'the key holds no letter whose case could be changed')
        const probe = await keyProbes.of(operation)
        await expectUnauthorized(probe, { key })
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
      async ({ keyProbes, random }) => {
        const probe = await keyProbes.of(operation, { unknownTarget: true })
        const answer = await probe.send({ key: random.string.alphanumeric(32) })
        premise(
          probe.control.status !== 401,
          `${describeAnswer(probe.control)} to the valid key too`,
        )
        // A mock that does not have the operation at all answers 404 as well.
        if (answer.status !== 401) needServed(await keyProbes.of(operation))
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
    async ({ keyProbes, settings }) => {
      const { apiKey } = settings
      const carriers: Record<string, How> = {
        'the key as Authorization': { headers: { authorization: `Bearer ${apiKey}` } },
        'the key as X-Api-Key': { headers: { 'x-api-key': apiKey } },
        // Addresses end up in logs: not on a service that is somebody's.
        ...(settings.embedded && {
          'the key in the query': { query: `apikey=${encodeURIComponent(apiKey)}` },
        }),
      }
      for (const probe of await needAcceptedReads(keyProbes))
        for (const [what, carrier] of Object.entries(carriers))
          await expectUnauthorized(probe, { key: null, ...carrier }, what)
    },
  )

  clause(
    'auth.refused-changes-nothing',
    { must: 'leave the task as it was when an update is refused with 401', section },
    async ({ keyProbes, random, settings, session }) => {
      const keys = [random.string.alphanumeric(32), null, '']
      for (const operation of ['assign.update', 'assign.unassign'] as const) {
        const probe = await keyProbes.of(operation)
        const { current, task } =
          probe.loan ?? missing(session.known.noTask ?? 'set TASK_IDS, ACTOR_ID and USER_IDS')
        // What is unassigned already would hide that it was unassigned.
        const before = await probe.prepare()
        const refused: Answer[] = []
        for (const key of keys) refused.push(await probe.send({ key }))
        const told401 = refused.filter(({ status }) => status === 401)
        premise(
          told401.length === keys.length,
          `not every bad key got 401: see auth.*.${operation}`,
        )
        await current.watch(task.id, ({ assignment }) => {
          if (isSameButAssigner(assignment, before)) return
          const nobody = assignment === null || before === null
          const asked = isSameId(assignment?.assigned_to_id, settings.userIds[0])
          if (!nobody && !asked) throw new ForeignChange()
          const became = `the assignment became ${shown(assignment)}`
          expect([`after ${keys.length} updates refused with 401 ${became}`]).toBeNone()
        })
        await probe.giveBack()
      }
    },
  )

  clause(
    'auth.refused-reveals-nothing',
    { should: 'show nothing of the resource in the body of a 401', section },
    async ({ keyProbes, random }) => {
      let compared = 0
      for (const operation of ['task.read', 'assessment.read'] as const) {
        const probe = await keyProbes.of(operation)
        if (!probe.targetExists || !isAccepted(probe.control)) continue
        for (const key of [random.string.alphanumeric(32), null]) {
          const answer = await probe.send({ key })
          if (answer.status !== 401) continue
          compared += 1
          const secrets = tellingValues(operation, jsonIn(probe.control), answer.path)
          const text = answer.text.toLowerCase()
          const seen = secrets.filter((value) => text.includes(value.toLowerCase()))
          expect(seen.map((value) => `${describeAnswer(answer)} and shows ${value}`)).toBeNone()
        }
      }
      premise(compared > 0, 'no 401 was got for anything that can be read')
    },
  )

  clause(
    'auth.wrong-region',
    { should: 'answer 401 to the key at the address of another region', section },
    async ({ keyProbes, settings }) => {
      const base = settings.wrongRegionUrl
      premise(base !== undefined, 'set WRONG_REGION_URL: the base address of another region')
      const probe = await needAcceptedRead(keyProbes)
      await expectUnauthorized(probe, { base, sendKeyElsewhere: true })
    },
  )

  clause(
    'auth.ip-allow-list',
    { should: 'answer 401 to the key from an address that is not on the allow list', section },
    async ({ keyProbes, outside }) => {
      const probe = await needAcceptedRead(keyProbes)
      await expectUnauthorized(probe, { via: outside })
    },
  )
})

/**
 * A refusal tells something only where the same request with the valid key is let in; before a
 * refusal of another kind condemns, that is asked once more, of the very same task.
 */
async function expectUnauthorized(probe: KeyProbe, how: How, given?: string): Promise<void> {
  const answer = await probe.send(how)
  if (!isAccepted(answer)) {
    needControl(probe, probe.control, answer)
    if (answer.status !== 401 && probe.targetExists)
      needControl(probe, await probe.send({}), answer)
  }
  expect(answer, given).toHaveStatus(401)
}

function needControl({ targetExists, operation }: KeyProbe, control: Answer, answer: Answer): void {
  if (control.status >= 500) throw new Trouble(`${describeAnswer(control)} to the valid key`)
  if (operation === 'export' && answer.status === 500)
    throw new Trouble(`${describeAnswer(answer)}, which the contract allows for on the export`)
  if (targetExists) {
    needPermitted(control)
    premise(isAccepted(control), `${describeAnswer(control)} to the valid key too`)
    return
  }
  premise(control.status !== 401, `${describeAnswer(control)} to the valid key too`)
  premise(
    answer.status === 401,
    `${describeAnswer(answer)}: it may have been refused for the id or the people in it, as none that the service has is configured`,
  )
}

function needServed({ control, targetExists }: KeyProbe): void {
  premise(targetExists, 'whether the service has the operation at all needs an id that it has')
  premise(isAccepted(control), `${describeAnswer(control)} to the valid key and an id that exists`)
}

/** The reads that are accepted with the valid key. */
async function needAcceptedReads(keyProbes: KeyProbes): Promise<KeyProbe[]> {
  const reads = await Promise.all(
    (['task.read', 'assessment.read', 'export'] as const).map((each) => keyProbes.of(each)),
  )
  const accepted = reads.filter(({ targetExists, control }) => targetExists && isAccepted(control))
  premise(accepted.length > 0, 'no read is known to be let in with the valid key')
  return accepted
}

/** The cheapest of them. */
const needAcceptedRead = async (keyProbes: KeyProbes) =>
  (await needAcceptedReads(keyProbes))[0] ?? missing('no read is let in')

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
