import { describe, expect, test } from 'vitest'
import type { Answer } from '../../../engine/http/client.ts'
import { FateUnknown } from '../../../engine/http/fate-unknown.ts'
import { Trouble } from '../../../engine/outcome.ts'
import { settleWindowOf } from '../../../helpers/history/settle-window.ts'
import { ForeignChange } from '../../../helpers/loans/foreign-change.ts'
import { commentIn } from '../../../helpers/service/comments.ts'
import { unassignBody } from '../../../helpers/service/update-request.ts'
import { type Attempt, insisted, tryAlone, tryTogether } from '../../../helpers/updates/attempt.ts'
import { createAttempts } from '../../../helpers/updates/attempts.ts'
import { type Near, nearUnassigns, nearUpdates } from '../../../helpers/updates/versions.ts'
import { accepted, play } from '../history/model.ts'
import { anna, ben, heldBy, people, type SentUpdate, settings, smallTask } from './small-task.ts'

describe('the comment by which an update that was refused is found', () => {
  const comment = 'Contract test, please ignore 0123456789ab'
  test.each<[string, unknown, string | undefined]>([
    ['stands in its object', { update: { assignment_comment: 'any' } }, 'any'],
    ['stands in a text', `{"update": {"assignment_comment": "${comment}", `, comment],
    ['does not stand in a text', '{"update": ', undefined],
    ['does not stand in it', { update: { assigned_by_id: 'a' } }, undefined],
    ['goes with an unassign, after which none is shown', unassignBody('a', comment), undefined],
  ])('%s', (_, body, expected) => {
    expect(commentIn(body)).toBe(expected)
  })
})

const withoutAssignee: Attempt = {
  what: 'without assigned_to_id',
  on: 'any',
  body: ({ assigned_to_id: _, ...rest }) => ({ update: rest }),
}
const withoutActor: Attempt = {
  what: 'without assigned_by_id',
  on: 'any',
  body: ({ assigned_by_id: _, ...rest }) => ({ update: rest }),
}
const isWithoutActor = ({ body }: SentUpdate) => !JSON.stringify(body).includes('assigned_by_id')

type Bend = NonNullable<Parameters<typeof smallTask>[0]>['bend']

/** The inputs of attempts on a task that Anna has, with comments that are kept. */
function depsWhere(bend: Bend, commented = true) {
  const small = smallTask({ held: anna, ...(bend && { bend }) })
  play([accepted()], { history: small.history })
  const settleWindow = { ...settleWindowOf(small.history, 30), windowMs: () => 10 }
  return { ...small, settleWindow, settings, people, commented }
}

describe('beside another writer', () => {
  const byAnother = { ...heldBy(ben), assignment_comment: 'by another' } as never

  test.each([
    ['to another user', heldBy(people[2] ?? null)],
    ['to whom the update names', byAnother],
  ])('a task that they assign %s is not the effect of a refused update', async (_, stored) => {
    const deps = depsWhere(() => ({ status: 422, isCarriedOut: true, stored }))
    await expect(tryAlone(withoutAssignee, deps)).rejects.toThrow(ForeignChange)
  })

  test('a single change after an update without a comment is not its effect', async () => {
    let count = 0
    const { shared, ...deps } = depsWhere((one) => {
      if (!isWithoutActor(one)) return undefined
      count += 1
      return { status: 422, isCarriedOut: count === 1 }
    })
    const anonymous: Attempt = {
      ...withoutActor,
      body: ({ assigned_to_id, assigned_to_type }) => ({
        update: { assigned_to_id, assigned_to_type },
      }),
    }
    const sequence = { people: async () => people } as never
    const attempts = createAttempts({ ...deps, shared, sequence, over: async () => {} })
    await expect(attempts.try(anonymous)).rejects.toThrow(
      'though no accepted update of this run changed it',
    )
  })

  test('attempts are tried one by one if one is refused over a replaced version', async () => {
    const deps = depsWhere((one, task) => {
      if (!isWithoutActor(one)) return undefined
      task.updated_at = '2026-01-01T01:00:00.000Z'
      return { status: 409 }
    })
    expect([...(await tryTogether([withoutAssignee, withoutActor], deps))]).toEqual([])
  })
})

test('an attempt whose version would be the current one is not decided', async () => {
  const same = { ...withoutAssignee, what: 'with the same digits', version: (now: string) => now }
  await expect(
    tryAlone(
      same,
      depsWhere(() => undefined),
    ),
  ).rejects.toMatchObject({
    why: { cause: 'freedom' },
  })
})

describe('a version near the current one', () => {
  const current = '2026-01-01T10:00:00.250Z'

  test.each<[Near, string, string]>([
    ['cut', 'without its fraction of a second', '2026-01-01T10:00:00Z'],
    ['shorter', 'with one digit of its fraction left out', '2026-01-01T10:00:00.20Z'],
    ['zone', 'with the same digits in another zone', '2026-01-01T10:00:00.250+01:00'],
  ])('%s: is the current one %s, of an update and of an unassign', (kind, what, sent) => {
    const all = [nearUpdates[kind], nearUnassigns[kind]]
    expect(all.map((each) => each?.version?.(current, []))).toEqual([sent, sent])
    expect(all.map((each) => each?.what)).toEqual([
      `whose If-Match is the current one ${what}`,
      `that unassigns with the current If-Match ${what}`,
    ])
  })
})

describe('an update that is to be refused', () => {
  /** Each of these is thrown, and then there is an answer. */
  async function insistedAfter(...failures: Error[]) {
    let sent = 0
    const send = async () => {
      const failure = failures[sent]
      sent += 1
      if (failure) throw failure
      return { status: 409 } as Answer
    }
    const what = 'whose If-Match is stale'
    const came = await insisted(send, what).catch(({ message }: Error) => message)
    return [typeof came === 'string' ? came : came.status, sent]
  }
  const lost = new FateUnknown('no answer within 10 s')

  test('is sent again until it is answered, three times in all, and not where it was not sent', async () => {
    expect(await insistedAfter(lost, lost)).toEqual([409, 3])
    expect(await insistedAfter(lost, lost, lost)).toEqual([
      '3 of 3 updates whose If-Match is stale failed: no answer within 10 s',
      3,
    ])
    expect(await insistedAfter(new Trouble('no connection'))).toEqual(['no connection', 1])
  })
})
