import { describe } from 'vitest'
import { expect } from '../engine/clause/matchers.ts'
import { describeAnswer } from '../engine/http/answers.ts'
import { otherCase } from '../engine/http/redaction.ts'
import { Trouble } from '../engine/outcome.ts'
import { expectUnauthorizedInForms } from '../helpers/access/export-forms.ts'
import {
  expectNotLetIn,
  expectUnauthorized,
  expectUpdatesUnauthorized,
  needAcceptedReads,
} from '../helpers/access/unauthorized.ts'
import { clausesOf } from '../helpers/clause.ts'
import { needAccepted, premise } from '../helpers/service/answers.ts'
import { invalidKeysLike } from '../helpers/service/keys.ts'
import { type Operation, operations } from '../helpers/service/operations.ts'
import type { How } from '../helpers/service/update-request.ts'

const clause = clausesOf({ section: 'Authentication' })
const everyOperation = Object.keys(operations) as Operation[]
const withId = everyOperation.filter((operation) => operation !== 'export')
const updates = ['assign.update', 'assign.unassign'] as const

describe('Authentication', () => {
  for (const operation of everyOperation) {
    clause(
      `auth.missing-key.${operation}`,
      { must: 'answer 401 when the apikey header is missing', operation },
      async ({ keyProbes, settings, shared, note }) => {
        const probe = await keyProbes.of(operation)
        // Of the very request that was accepted: what stands in front of the key may keep its answer.
        await expectUnauthorized(probe, { key: null })
        await expectNotLetIn(probe, { key: null })
        if (operation === 'export')
          await expectUnauthorizedInForms(probe, [['no key', null]], { shared, ...settings })
        note(`${describeAnswer(probe.control)} with the key, 401 without`)
      },
    )

    clause(
      `auth.invalid-key.${operation}`,
      {
        must: 'answer 401 to a random key, an empty one, and ones that come close to the real one',
        operation,
      },
      async ({ keyProbes, settings, shared, random, note }) => {
        const probe = await keyProbes.of(operation)
        const keys = invalidKeysLike(settings.apiKey, random)
        if (operation === 'export')
          await expectUnauthorizedInForms(probe, keys, { shared, ...settings })
        else for (const [what, key] of keys) await expectUnauthorized(probe, { key }, { what })
        note(`${describeAnswer(probe.control)} with the key, 401 to ${keys.length} bad ones`)
      },
    )

    clause(
      `auth.key-case.${operation}`,
      { should: 'answer 401 to the key in another letter case', operation },
      async ({ keyProbes, settings, note }) => {
        const key = otherCase(settings.apiKey)
        premise(
          key !== settings.apiKey,
          'data',
          'API_KEY holds no letter; a key with letters is needed',
        )
        const probe = await keyProbes.of(operation)
        await expectUnauthorized(probe, { key })
        note(`${describeAnswer(probe.control)} with the key, 401 in another letter case`)
      },
    )
  }

  for (const operation of withId) {
    clause(
      `auth.before-lookup.${operation}`,
      { should: 'answer 401, not 404, to a bad key with an unknown id', operation },
      async ({ keyProbes, random, note }) => {
        const probe = await keyProbes.of(operation, { unknownTarget: true })
        const answer = await probe.send({ key: random.string.alphanumeric(32) })
        const { control } = probe
        // A mock that does not have the operation at all answers 404 as well.
        if (control.status === 401 || answer.status !== 401)
          needAccepted((await keyProbes.of(operation)).control)
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
      must: 'answer 401 when the valid key comes in another header and the apikey header is missing',
    },
    async ({ keyProbes, settings, note }) => {
      const { apiKey } = settings
      const carriers: Record<string, How> = {
        'the key as Authorization': { headers: { authorization: `Bearer ${apiKey}` } },
        'the key as X-Api-Key': { headers: { 'x-api-key': apiKey } },
      }
      const probes = await needAcceptedReads(keyProbes)
      for (const probe of probes)
        for (const [what, carrier] of Object.entries(carriers))
          await expectUnauthorized(probe, { key: null, ...carrier }, { what })
      const permitted = settings.readOnly
        ? []
        : updates.filter((each) => !settings.notPermitted.includes(each))
      const reads = probes.map(({ operation }) => operation)
      const asked = await expectUpdatesUnauthorized(keyProbes, permitted, carriers)
      note(`401 to ${Object.keys(carriers).join(', ')}: ${[...reads, ...asked].join(', ')}`)
    },
  )

  clause(
    'auth.other-carriers.query',
    { must: 'answer 401 when the valid key comes in the query and the apikey header is missing' },
    async ({ keyProbes, settings, note }) => {
      premise(
        settings.embedded || settings.keyInQuery,
        'setting',
        'set KEY_IN_QUERY=1: the key then stands in an address, and addresses may end up in logs',
      )
      const query = `apikey=${encodeURIComponent(settings.apiKey)}`
      const probes = await needAcceptedReads(keyProbes)
      for (const probe of probes)
        await expectUnauthorized(probe, { key: null, query }, { what: 'the key in the query' })
      note(`401: ${probes.map(({ operation }) => operation).join(', ')}`)
    },
  )

  clause(
    'auth.wrong-region',
    { should: 'answer 401 to the key at the address of another region' },
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
    { should: 'answer 401 to the key from an address that is not on the allow list' },
    async ({ keyProbes, outside, note }) => {
      const [probe] = await needAcceptedReads(keyProbes)
      const again = { why: 'the request has to be sent through OUTSIDE_PROXY_URL' }
      await expectUnauthorized(probe, { via: outside }, { again })
      note(`${describeAnswer(probe.control)} from here, 401 through the proxy`)
    },
  )
})
