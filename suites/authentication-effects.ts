import { describe } from 'vitest'
import { expect } from '../engine/clause/matchers.ts'
import { describeAnswer, isObject, jsonIn } from '../engine/http/answers.ts'
import type { Answer } from '../engine/http/client.ts'
import { allEnded, NotDecidable, Trouble } from '../engine/outcome.ts'
import { problem } from '../engine/problem.ts'
import { clausesOf } from '../helpers/clause.ts'
import { namedMembers } from '../helpers/reads/readings.ts'
import { needAccepted, premise } from '../helpers/service/answers.ts'
import type { Operation } from '../helpers/service/operations.ts'
import type { How } from '../helpers/service/update-request.ts'
import { wrongVersions } from '../helpers/service/wrong-versions.ts'
import type { Attempt, Pool, Tried } from '../helpers/updates/attempt.ts'

const clause = clausesOf({ section: 'Authentication' })

const noKey: How = { key: null }
// It begins as no key of ours does, and is the same in every run.
const wrongKey: How = { key: 'not-a-key-of-this-service-0000000' }

const unassign: Attempt['body'] = ({ assigned_by_id }) => ({ unassign: { assigned_by_id } })
const update: Attempt['body'] = (valid) => ({ update: valid })

/** Updates without a valid key that are wrong besides: by the key alone they are not to be carried out. */
const wrong: Record<'update' | 'unassign', Attempt[]> = {
  update: [
    {
      what: 'without a key and with a wrong If-Match',
      on: 'any',
      body: update,
      how: noKey,
      version: wrongVersions.near,
    },
    {
      what: 'with a wrong key and without If-Match',
      on: 'any',
      body: update,
      how: wrongKey,
      version: () => undefined,
    },
    {
      what: 'without a key and without assigned_to_type',
      on: 'any',
      body: ({ assigned_to_type: _, ...rest }) => ({ update: rest }),
      how: noKey,
    },
    {
      what: 'with a wrong key and a body that is not JSON',
      on: 'any',
      body: (valid) => JSON.stringify({ update: valid }).slice(0, -1),
      how: wrongKey,
    },
  ],
  unassign: [
    {
      what: 'that unassigns without a key and without If-Match',
      on: 'assigned',
      body: unassign,
      how: noKey,
      version: () => undefined,
    },
    {
      what: 'that unassigns with a wrong key and a wrong If-Match',
      on: 'assigned',
      body: unassign,
      how: wrongKey,
      version: wrongVersions.near,
    },
  ],
}
const pool: Pool = {
  name: 'updates without a valid key that are wrong besides',
  attempts: [...wrong.update, ...wrong.unassign],
}

const kindsOfUpdate = ['update', 'unassign'] as const
type Kind = (typeof kindsOfUpdate)[number]

/** Valid updates with a bad key: each is sent after the one before it, on the same loan. */
const withBadKey: Record<Kind, Attempt> = {
  update: withBadKeys('an update', { on: 'any', body: update }),
  unassign: withBadKeys('an unassign', { on: 'assigned', body: unassign }),
}

function withBadKeys(kind: string, attempt: Pick<Attempt, 'on' | 'body'>): Attempt {
  const withKey = (what: string, how: How) => ({ what: `${what} (${kind})`, ...attempt, how })
  const followUp = {
    ...withKey('without a key', noKey),
    followUp: withKey('with an empty key', { key: '' }),
  }
  return { ...withKey('with a wrong key', wrongKey), followUp }
}

describe('Authentication', () => {
  clause(
    'auth.refused-changes-nothing',
    { must: 'leave the task as it was when an update is refused with 401' },
    async ({ attempts, settings, note }) => {
      const isPermitted = (kind: Kind) => !settings.notPermitted.includes(`assign.${kind}`)
      const permitted = kindsOfUpdate.filter(isPermitted)
      const kinds = permitted.length > 0 ? permitted : kindsOfUpdate
      const sent = kinds.map(async (kind) => {
        const tried: Tried[] = []
        let next: Tried | undefined = await attempts.try(withBadKey[kind])
        for (; next; next = await attempts.followUp(next)) tried.push(next)
        premise(
          tried.every(({ answer }) => answer.status === 401),
          'clause',
          'not every bad key was answered 401',
          `auth.invalid-key.assign.${kind}`,
          `auth.missing-key.assign.${kind}`,
        )
        return tried
      })
      const all = (await allEnded(sent)).flat()
      expect(await attempts.carriedOut(all)).toBeNone()
      note(`${all.length} updates with bad keys: 401, and reads show the assignment as before`)
    },
  )

  clause(
    'auth.refused-reveals-nothing',
    { should: 'show nothing of the resource in the body of a 401' },
    async ({ keyProbes, random, note }) => {
      let compared = 0
      const undecided: Error[] = []
      for (const operation of ['task.read', 'assessment.read'] as const)
        try {
          const probe = await keyProbes.of(operation)
          needAccepted(probe.control)
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
                  again: { signs: [{ lacks: [value] }] },
                }),
              ),
            ).toBeNone()
          }
        } catch (error) {
          if (!(error instanceof NotDecidable || error instanceof Trouble)) throw error
          undecided.push(error)
        }
      const [why] = undecided
      if (compared === 0 && why) throw why
      premise(compared > 0, 'data', 'no value of eight characters or more can be read')
      note(`${compared} bodies of 401 show no value of the resource`)
    },
  )

  for (const kind of ['update', 'unassign'] as const) {
    const operation = `assign.${kind}`
    const what = kind === 'update' ? 'an update' : 'an unassign'

    clause(
      `auth.invalid-besides.${operation}`,
      {
        must: `not carry out ${what} without a valid key that is wrong in another way too`,
        operation,
      },
      async ({ attempts, note }) => {
        const tried = []
        for (const each of wrong[kind]) tried.push(await attempts.tryIn(pool, each))
        expect(await attempts.carriedOut(tried)).toBeNone()
        note(`${tried.length} of them refused, and reads show the assignment as before`)
      },
    )

    clause(
      `auth.invalid-besides.${operation}.status`,
      {
        should: `answer 401 to ${what} without a valid key that is wrong in another way too`,
        operation,
      },
      async ({ attempts, each }) => {
        const tried: { what: string; answer: Answer }[] = []
        for (const one of wrong[kind])
          tried.push({ what: one.what, answer: (await attempts.tryIn(pool, one)).answer })
        const others = ({ what, answer }: (typeof tried)[number]) =>
          answer.status === 401
            ? []
            : [
                problem(`${describeAnswer(answer)}, not 401, to one ${what}`, {
                  expected: '401',
                  got: String(answer.status),
                  judged: answer,
                }),
              ]
        await each(tried, others, { of: 'of them: 401' })
      },
    )
  }
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
