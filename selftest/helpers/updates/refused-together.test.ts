import { describe, expect, test } from 'vitest'
import { settleWindowOf } from '../../../helpers/history/settle-window.ts'
import { type Attempt, createAttempts, tryTogether } from '../../../helpers/updates/attempts.ts'
import { anna, askedBy, ben, people, settings, smallTask } from './small-task.ts'

type Bend = NonNullable<Parameters<typeof smallTask>[0]>['bend']

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
const isWithoutActor = ({ body }: { body: Record<string, unknown> }) =>
  !JSON.stringify(body).includes('assigned_by_id')

/** Refuses what has no assigner; what else it does is bent. */
const refusing =
  (bend: Bend): Bend =>
  (one, task) =>
    bend?.(one, task) ?? (isWithoutActor(one) ? { status: 422 } : undefined)

const taskWatch = (forbidden: unknown[] = []) =>
  ({
    forbid: (one: unknown) => forbidden.push(one),
    needNotAnothers: () => {},
    mayBeAnothers: () => false,
    keepsComments: true,
    patience: { windowMs: () => 10 },
  }) as never

describe('updates that are not to be carried out, sent on one loan', () => {
  async function togetherWhere(bend: Bend = () => undefined, commented = true) {
    const small = smallTask({ held: anna, bend: refusing(bend) })
    const forbidden: unknown[] = []
    const updates = [withoutAssignee, withoutActor]
    const { service, lending, sent } = small
    const watch = taskWatch(forbidden)
    const deps = { lending, service, settings, people, commented, taskWatch: watch }
    return { outcomes: await tryTogether(updates, deps), sent, forbidden }
  }

  test('are all refused, and each is looked for by a comment of its own', async () => {
    const { outcomes, forbidden } = await togetherWhere()
    expect(outcomes?.map(({ answer, isOpen }) => [answer.status, isOpen])).toEqual([
      [422, false],
      [422, false],
    ])
    const tokens = forbidden.map((one) => (one as { token?: string }).token)
    expect(new Set(tokens).size).toBe(2)
    expect(outcomes?.map(({ before }) => before?.assigned_to_id)).toEqual([anna.id, anna.id])
  })

  test('carry whom the task does not have', async () => {
    const { sent } = await togetherWhere()
    const asked = sent.filter(isWithoutActor).map((one) => askedBy(one)?.assigned_to_id)
    expect(asked).toEqual([ben.id])
  })

  test('may be refused by 409 for what is wrong with them', async () => {
    const { outcomes } = await togetherWhere((one) =>
      isWithoutActor(one) ? { status: 409 } : undefined,
    )
    expect(outcomes?.map(({ answer }) => answer.status)).toEqual([422, 409])
  })

  test('may still be open where no comment shows them', async () => {
    const { outcomes } = await togetherWhere(undefined, false)
    expect(outcomes?.map(({ isOpen }) => isOpen)).toEqual([true, true])
  })

  test.each<[string, Bend]>([
    ['accepted', (one) => (isWithoutActor(one) ? { status: 200 } : undefined)],
    [
      'refused and carried out',
      (one) => (isWithoutActor(one) ? { status: 422, isCarriedOut: true } : undefined),
    ],
    [
      'carried out with the next update',
      (one) => (one.isCurrent && askedBy(one)?.assigned_by_id ? { stored: null } : undefined),
    ],
    [
      'refused for a version that another writer replaced',
      (one, task) => {
        if (!isWithoutActor(one)) return undefined
        task.updated_at = '2026-01-01T01:00:00.000Z'
        return { status: 409 }
      },
    ],
  ])('are each tried alone where one is %s', async (_, bend) => {
    expect((await togetherWhere(bend)).outcomes).toBeUndefined()
  })
})

describe('an update that is not to be carried out', () => {
  function refusedWhere(bend: Bend = () => undefined, how?: Attempt['how']) {
    const { lending, shared, sent } = smallTask({ bend: refusing(bend) })
    const refused = createAttempts({
      settings,
      lending,
      shared,
      journey: { people: async () => people } as never,
      taskWatch: taskWatch(),
      over: async () => {},
    })
    return { tried: refused.try({ ...withoutActor, ...(how ? { how } : {}) }), sent }
  }

  test('is tried behind an accepted one', async () => {
    const { tried, sent } = refusedWhere()
    expect((await tried).answer.status).toBe(422)
    expect(sent.map(isWithoutActor)).toEqual([false, false, true])
  })

  test('is tried three times where it was carried out', async () => {
    const { tried, sent } = refusedWhere((one) =>
      isWithoutActor(one) ? { status: 422, isCarriedOut: true } : undefined,
    )
    expect((await tried).carriedOut?.sentence).toMatch(/without assigned_by_id, and it was carried/)
    expect(sent.filter(isWithoutActor)).toHaveLength(3)
  })

  test('says nothing where it is answered 403, but for one with another key', async () => {
    const forbidden: Bend = (one) => (isWithoutActor(one) ? { status: 403 } : undefined)
    await expect(refusedWhere(forbidden).tried).rejects.toThrow('scopes of a key are not shown')
    const withKey = refusedWhere(forbidden, { key: 'another' } as never)
    expect((await withKey.tried).answer.status).toBe(403)
  })

  test('is condemned where it is answered 403 and carried out', async () => {
    const { tried } = refusedWhere((one) =>
      isWithoutActor(one) ? { status: 403, isCarriedOut: true } : undefined,
    )
    expect((await tried).carriedOut).toBeDefined()
  })
})
