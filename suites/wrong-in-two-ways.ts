import { describe } from 'vitest'
import { expect } from '../engine/clause/matchers.ts'
import { describeAnswer } from '../engine/http/answers.ts'
import { problem } from '../engine/problem.ts'
import { clause } from '../helpers/clause.ts'
import type { How } from '../helpers/service/update-request.ts'
import { wrongVersions } from '../helpers/service/wrong-versions.ts'
import type { Pool } from '../helpers/updates/pooled-updates.ts'
import type { RefusedUpdate } from '../helpers/updates/refused-update.ts'

const section = 'Authentication'

const noKey: How = { key: null }
// It begins as no key of ours does, and is the same in every run.
const wrongKey: How = { key: 'not-a-key-of-this-service-0000000' }

const unassign: RefusedUpdate['body'] = ({ assigned_by_id }) => ({ unassign: { assigned_by_id } })
const update: RefusedUpdate['body'] = (valid) => ({ update: valid })

/** Updates without a valid key that are wrong besides: by the key alone they are not to be carried out. */
const wrong: Record<'update' | 'unassign', RefusedUpdate[]> = {
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
  updates: [...wrong.update, ...wrong.unassign],
}

describe('Authentication', () => {
  for (const kind of ['update', 'unassign'] as const) {
    const operation = `assign.${kind}`
    const what = kind === 'update' ? 'an update' : 'an unassign'

    clause(
      `auth.invalid-besides.${operation}`,
      {
        must: `not carry out ${what} without a valid key that is wrong in another way too`,
        section,
        operation,
      },
      async ({ refusedUpdates, note }) => {
        const tried = []
        for (const each of wrong[kind]) tried.push(await refusedUpdates.tryIn(pool, each))
        expect(await refusedUpdates.carriedOut(tried)).toBeNone()
        note(`${tried.length} of them refused, and reads show the assignment as before`)
      },
    )

    clause(
      `auth.invalid-besides.${operation}.status`,
      {
        should: `answer 401 to ${what} without a valid key that is wrong in another way too`,
        section,
        operation,
      },
      async ({ refusedUpdates, note }) => {
        const answers = []
        for (const each of wrong[kind])
          answers.push([each, (await refusedUpdates.tryIn(pool, each)).answer] as const)
        const others = answers.filter(([, { status }]) => status !== 401)
        expect(
          others.map(([{ what }, answer]) =>
            problem(`${describeAnswer(answer)}, not 401, to one ${what}`, {
              expected: '401',
              got: String(answer.status),
              judged: answer,
            }),
          ),
        ).toBeNone()
        note(`401 to all ${answers.length}`)
      },
    )
  }
})
