import { describe } from 'vitest'
import { expect, expectThat } from '../engine/clause/matchers.ts'
import { describeAnswer, isObject, jsonIn } from '../engine/http/answers.ts'
import type { Answer } from '../engine/http/client.ts'
import { NotDecidable, Trouble } from '../engine/outcome.ts'
import { problem } from '../engine/problem.ts'
import { shown } from '../engine/shown.ts'
import { expectUnauthorizedInForms, exportForms } from '../helpers/access/export-forms.ts'
import {
  expectUnauthorized,
  needAcceptedAgain,
  needAcceptedReads,
  needServed,
} from '../helpers/access/unauthorized.ts'
import { clause } from '../helpers/clause.ts'
import { namedMembers } from '../helpers/reads/readings.ts'
import { again } from '../helpers/service/again.ts'
import { premise } from '../helpers/service/answers.ts'
import { isSameButAssigner } from '../helpers/service/assignments.ts'
import { ForeignChange } from '../helpers/service/foreign-change.ts'
import { isSameId } from '../helpers/service/ids.ts'
import { invalidKeysLike, otherCase, otherCaseJs } from '../helpers/service/keys.ts'
import { type Operation, operations } from '../helpers/service/operations.ts'
import type { How } from '../helpers/service/update-request.ts'
import { needChangers } from '../helpers/updates/controls.ts'

const section = 'Authentication'
const everyOperation = Object.keys(operations) as Operation[]
const withId = everyOperation.filter((operation) => operation !== 'export')

describe('Authentication', () => {
  for (const operation of everyOperation) {
    clause(
      `auth.missing-key.${operation}`,
      {
        must: 'answer 401 when the apikey header is missing',
        section,
        operation,
        ...(operation === 'export' && { forms: exportForms }),
      },
      async ({ keyProbes, random, note }) => {
        const probe = await keyProbes.of(operation)
        // Of the very request that was accepted: what stands in front of the key may keep its answer.
        await expectUnauthorized(probe, { key: null })
        if (operation === 'export')
          await expectUnauthorizedInForms(probe, new Map([['no key', null]]), random)
        note(`${describeAnswer(probe.control)} with the key, 401 without`)
      },
    )

    clause(
      `auth.invalid-key.${operation}`,
      {
        must: 'answer 401 to a random key, an empty one, and ones that come close to the real one',
        section,
        operation,
        ...(operation === 'export' && { forms: exportForms }),
      },
      async ({ keyProbes, settings, random, note }) => {
        const probe = await keyProbes.of(operation)
        const keys = invalidKeysLike(settings.apiKey, random)
        if (operation === 'export')
          await expectUnauthorizedInForms(
            probe,
            new Map(keys.map(([what, key]) => [what, key])),
            random,
          )
        else
          for (const [what, key, js] of keys)
            await expectUnauthorized(
              probe,
              { key },
              { what, ...(js ? { again: { key: js } } : {}) },
            )
        note(`${describeAnswer(probe.control)} with the key, 401 to ${keys.length} bad ones`)
      },
    )

    clause(
      `auth.key-case.${operation}`,
      { should: 'answer 401 to the key in another letter case', section, operation },
      async ({ keyProbes, settings, note }) => {
        const key = otherCase(settings.apiKey)
        premise(
          key !== settings.apiKey,
          'data',
          'API_KEY holds no letter; a key with letters is needed',
        )
        const probe = await keyProbes.of(operation)
        await expectUnauthorized(probe, { key }, { again: { key: otherCaseJs } })
        note(`${describeAnswer(probe.control)} with the key, 401 in another letter case`)
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
      async ({ keyProbes, random, note }) => {
        const probe = await keyProbes.of(operation, { unknownTarget: true })
        const answer = await probe.send({ key: random.string.alphanumeric(32) })
        const { control } = probe
        // A mock that does not have the operation at all answers 404 as well.
        if (control.status === 401 || answer.status !== 401)
          needServed(await keyProbes.of(operation))
        if (control.status === 401)
          throw new Trouble(`${describeAnswer(control)} to the key, which is accepted elsewhere`)
        expect(answer).toHaveStatus(401, { control })
        note(`${describeAnswer(control)} with the key, 401 with a bad one`)
      },
    )
  }

  clause(
    'auth.other-carriers',
    {
      must: 'answer 401 when the valid key comes in another header (or, on the embedded service, in the query) and the apikey header is missing',
      section,
    },
    async ({ keyProbes, settings, note }) => {
      const { apiKey } = settings
      const carriers: Record<string, How> = {
        'the key as Authorization': { headers: { authorization: `Bearer ${apiKey}` } },
        'the key as X-Api-Key': { headers: { 'x-api-key': apiKey } },
        // Addresses end up in logs: not on a service that is somebody's.
        ...(settings.embedded && {
          'the key in the query': { query: `apikey=${encodeURIComponent(apiKey)}` },
        }),
      }
      const probes = await needAcceptedReads(keyProbes)
      for (const probe of probes)
        for (const [what, carrier] of Object.entries(carriers))
          await expectUnauthorized(probe, { key: null, ...carrier }, { what })
      const tried = Object.keys(carriers).join(', ')
      note(`401 to ${tried}: ${probes.map(({ operation }) => operation).join(', ')}`)
    },
  )

  clause(
    'auth.refused-changes-nothing',
    { must: 'leave the task as it was when an update is refused with 401', section },
    async ({ keyProbes, random, service, settings, session, note }) => {
      const keys = [random.string.alphanumeric(32), null, '']
      const updates = ['assign.update', 'assign.unassign'] as const
      const permitted = updates.filter((each) => !settings.notPermitted.includes(each))
      for (const operation of permitted.length > 0 ? permitted : updates) {
        const probe = await keyProbes.of(operation)
        needChangers(settings)
        // Where no task was borrowed, borrowing one says why.
        const { current, task } = probe.loan ?? (await session.lending.borrow('any', service))
        // What is unassigned already would hide that it was unassigned.
        const before = await probe.prepare()
        const refused: Answer[] = []
        for (const key of keys) refused.push(await probe.send({ key }))
        const isRefused = refused.every(({ status }) => status === 401)
        if (!isRefused) needAcceptedAgain(await probe.send({}))
        premise(
          isRefused,
          'clause',
          'not every bad key was answered 401',
          `auth.invalid-key.${operation}`,
          `auth.missing-key.${operation}`,
        )
        await current.watch(task.id, (seen) => {
          const { assignment } = seen
          if (isSameButAssigner(assignment, before)) return
          const nobody = assignment === null || before === null
          const asked = isSameId(assignment?.assigned_to_id, settings.userIds[0])
          if (!nobody && !asked) throw new ForeignChange(assignment)
          const became = `the assignment became ${shown(assignment)}`
          expectThat(false, `after ${keys.length} updates refused with 401 ${became}`, {
            expected: shown(before),
            got: shown(assignment),
            judged: [...refused, seen],
            again: again.unchanged,
          })
        })
        await probe.giveBack()
      }
      note(`${keys.length} updates of each kind with bad keys: 401, and the assignment as before`)
    },
  )

  clause(
    'auth.refused-reveals-nothing',
    { should: 'show nothing of the resource in the body of a 401', section },
    async ({ keyProbes, random, note }) => {
      let compared = 0
      const undecided: Error[] = []
      for (const operation of ['task.read', 'assessment.read'] as const)
        try {
          const probe = await keyProbes.of(operation)
          needServed(probe)
          for (const key of [random.string.alphanumeric(32), null]) {
            const answer = await probe.send({ key })
            const owner = `auth.${key === null ? 'missing' : 'invalid'}-key.${operation}`
            premise(answer.status === 401, 'clause', `${describeAnswer(answer)}, not 401`, owner)
            const secrets = tellingValues(operation, jsonIn(probe.control), answer.path)
            if (secrets.length > 0) compared += 1
            const text = answer.text.toLowerCase()
            const seen = secrets.filter((value) => text.includes(value.toLowerCase()))
            const { control } = probe
            expect(
              seen.map((value) =>
                problem(`${describeAnswer(answer)} and shows ${value}`, {
                  expected: 'nothing of the resource',
                  got: value,
                  judged: answer,
                  control,
                  again: {
                    holds: `!a.text.toLowerCase().includes(${JSON.stringify(value.toLowerCase())})`,
                  },
                }),
              ),
            ).toBeNone()
          }
        } catch (error) {
          if (!(error instanceof NotDecidable || error instanceof Trouble)) throw error
          undecided.push(error)
        }
      const [why = new NotDecidable('data', 'no value of eight characters or more can be read')] =
        undecided
      if (compared === 0) throw why
      note(`${compared} bodies of 401 show no value of the resource`)
    },
  )

  clause(
    'auth.wrong-region',
    { should: 'answer 401 to the key at the address of another region', section },
    async ({ keyProbes, settings, note }) => {
      const base = settings.wrongRegionUrl
      premise(
        base !== undefined,
        'setting',
        'set WRONG_REGION_URL: the base address of another region',
      )
      const [probe] = await needAcceptedReads(keyProbes)
      await expectUnauthorized(probe, { base, sendKeyElsewhere: true })
      note(`${describeAnswer(probe.control)} at BASE_URL, 401 there`)
    },
  )

  clause(
    'auth.ip-allow-list',
    { should: 'answer 401 to the key from an address that is not on the allow list', section },
    async ({ keyProbes, outside, note }) => {
      const [probe] = await needAcceptedReads(keyProbes)
      const again = { why: 'the request has to be sent through OUTSIDE_PROXY_URL' }
      await expectUnauthorized(probe, { via: outside }, { again })
      note(`${describeAnswer(probe.control)} from here, 401 through the proxy`)
    },
  )
})

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
