import { describe, expect, test } from 'vitest'
import { refusedUpdates } from '../../../helpers/history/questions.ts'
import { settleWindowOf } from '../../../helpers/history/settle-window.ts'
import { type Attempt, type Tried, tryTogether } from '../../../helpers/updates/attempt.ts'
import { createAttempts } from '../../../helpers/updates/attempts.ts'
import { accepted, play } from '../history/model.ts'
import { anna, askedBy, ben, heldBy, people, settings, smallTask } from './small-task.ts'

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

describe('updates that are not to be carried out, sent on one loan', () => {
  async function togetherWhere(bend: Bend = () => undefined, commented = true) {
    const small = smallTask({ held: anna, bend: refusing(bend) })
    const { history, service, lending, sent } = small
    // Comments are seen to be kept.
    play([accepted()], { history })
    const settleWindow = { ...settleWindowOf(history, 30), windowMs: () => 10 }
    const deps = { history, settleWindow, lending, service, settings, people, commented }
    const tried = await tryTogether([withoutAssignee, withoutActor], deps)
    return { tried: [...tried.values()], sent, refused: refusedUpdates(history) }
  }

  test('are all refused, and each is looked for by a comment of its own', async () => {
    const { tried, refused } = await togetherWhere()
    expect(tried.map(({ answer, isOpen }) => [answer.status, isOpen])).toEqual([
      [422, false],
      [422, false],
    ])
    expect(new Set(refused.map(({ token }) => token)).size).toBe(2)
    expect(tried.map(({ before }) => before?.assigned_to_id)).toEqual([anna.id, anna.id])
  })

  test('carry whom the task does not have', async () => {
    const { sent } = await togetherWhere()
    const asked = sent.filter(isWithoutActor).map((one) => askedBy(one)?.assigned_to_id)
    expect(asked).toEqual([ben.id])
  })

  test('may be refused by 409 for what is wrong with them', async () => {
    const { tried } = await togetherWhere((one) =>
      isWithoutActor(one) ? { status: 409 } : undefined,
    )
    expect(tried.map(({ answer }) => answer.status)).toEqual([422, 409])
  })

  test('may still be open where no comment shows them', async () => {
    const { tried } = await togetherWhere(undefined, false)
    expect(tried.map(({ isOpen }) => isOpen)).toEqual([true, true])
  })

  test('are given as the one alone that is accepted', async () => {
    const bend: Bend = (one) => (isWithoutActor(one) ? { status: 200 } : undefined)
    const { tried } = await togetherWhere(bend)
    expect(tried).toMatchObject([{ attempt: withoutActor, answer: { status: 200 } }])
    expect(tried[0]?.carriedOut).toBeDefined()
  })

  test.each<[string, Bend]>([
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
    expect((await togetherWhere(bend)).tried).toEqual([])
  })
})

describe('an update that is not to be carried out', () => {
  function refusedWhere(bend: Bend = () => undefined, given: Partial<Attempt> = {}) {
    const { history, lending, shared, sent } = smallTask({ bend: refusing(bend) })
    const attempts = createAttempts({
      history,
      settleWindow: settleWindowOf(history, 30),
      settings,
      lending,
      shared,
      journey: { people: async () => people } as never,
      over: async () => {},
    })
    return { tried: attempts.try({ ...withoutActor, ...given }), sent, attempts }
  }

  test('is tried behind an accepted one', async () => {
    const { tried, sent } = refusedWhere()
    expect((await tried).answer.status).toBe(422)
    expect(sent.map(isWithoutActor)).toEqual([false, false, true])
  })

  const withoutComment: Attempt['body'] = ({ assigned_to_id, assigned_to_type }) => ({
    update: { assigned_to_id, assigned_to_type },
  })
  test.each<[times: number, where: string, status: number, given: Partial<Attempt>]>([
    [3, 'nothing proves that it was', 422, { body: withoutComment }],
    [1, 'its comment proves it', 422, {}],
    [1, 'its answer shows it', 200, { body: withoutComment }],
  ])('is tried %d times where it was carried out, and %s', async (times, _, status, given) => {
    const bend: Bend = (one) => (isWithoutActor(one) ? { status, isCarriedOut: true } : undefined)
    const { tried, sent } = refusedWhere(bend, given)
    expect((await tried).carriedOut?.sentence).toMatch(/without assigned_by_id, and it was carried/)
    expect(sent.filter(isWithoutActor)).toHaveLength(times)
  })

  test('is not told where it was carried out once: that may be another writer', async () => {
    let count = 0
    const bend: Bend = (one) => {
      if (isWithoutActor(one)) count += 1
      return isWithoutActor(one) ? { status: 422, isCarriedOut: count === 1 } : undefined
    }
    const { tried } = refusedWhere(bend, { body: withoutComment })
    await expect(tried).rejects.toThrow('though no accepted update of this run changed it')
  })

  test('is followed up on a loan of its own where another writer comes between', async () => {
    const followUp = { ...withoutActor, what: 'with another key', how: { key: 'another' } }
    let count = 0
    const bend: Bend = (one) => {
      if (isWithoutActor(one)) count += 1
      const stored = { ...heldBy(people[2] ?? null), assignment_comment: 'by somebody' } as never
      return count === 2 ? { status: 422, isCarriedOut: true, stored } : undefined
    }
    const { tried, sent, attempts } = refusedWhere(bend, { followUp })
    const first = await tried
    expect([first.answer.status, first.carriedOut]).toEqual([422, undefined])
    const next = await attempts.followUp(first)
    expect([next?.attempt.what, next?.carriedOut]).toEqual(['with another key', undefined])
    expect(sent.filter(isWithoutActor)).toHaveLength(3)
    expect(await attempts.followUp(next as Tried)).toBeUndefined()
  })

  test('says nothing where it is answered 403, but for one with another key', async () => {
    const forbidden: Bend = (one) => (isWithoutActor(one) ? { status: 403 } : undefined)
    await expect(refusedWhere(forbidden).tried).rejects.toThrow('scopes of a key are not shown')
    const withKey = refusedWhere(forbidden, { how: { key: 'another' } })
    expect((await withKey.tried).answer.status).toBe(403)
  })

  test('is condemned where it is answered 403 and carried out', async () => {
    const { tried } = refusedWhere((one) =>
      isWithoutActor(one) ? { status: 403, isCarriedOut: true } : undefined,
    )
    expect((await tried).carriedOut).toBeDefined()
  })
})

describe('what was carried out of several attempts', () => {
  const anonymous: Attempt = {
    ...withoutActor,
    body: ({ assigned_to_id, assigned_to_type }) => ({
      update: { assigned_to_id, assigned_to_type },
    }),
  }
  /** One attempt, on a service where comments are kept; `late` happens until the end of the run. */
  async function carriedOutWhere({
    attempt = withoutActor,
    bend = undefined as Bend,
    late = async (_: ReturnType<typeof smallTask>) => {},
    steps = [] as object[],
  }) {
    const small = smallTask({ held: anna, bend: refusing(bend) })
    play([accepted()], { history: small.history })
    let isOver = false
    const attempts = createAttempts({
      ...small,
      settleWindow: { ...settleWindowOf(small.history, 30), windowMs: () => 10 },
      settings,
      journey: { people: async () => people, accepted: async () => steps } as never,
      over: async () => {
        isOver = true
        await late(small)
      },
    })
    const problems = await attempts.carriedOut([await attempts.try(attempt)])
    return { sentences: problems.map(({ sentence }) => sentence), isOver }
  }

  test('is told at once where reads showed it, and nothing is waited for', async () => {
    const bend: Bend = (one) => (isWithoutActor(one) ? { isCarriedOut: true } : undefined)
    const { sentences, isOver } = await carriedOutWhere({ bend })
    expect(sentences).toEqual([expect.stringMatching(/, and it was carried out$/)])
    expect(isOver).toBe(false)
  })

  test('is told at the end of the run where a read shows its comment', async () => {
    const late = async ({ task, sent, service, touch }: ReturnType<typeof smallTask>) => {
      task.assignment = askedBy(sent.findLast(isWithoutActor) as never) ?? null
      touch()
      await service.readTask(task.id)
    }
    const { sentences } = await carriedOutWhere({ late })
    expect(sentences).toEqual([expect.stringMatching(/, and it was carried out later$/)])
  })

  test('without a comment is tried once more where the task changed, and told if it comes again', async () => {
    const late = async ({ task, service, touch }: ReturnType<typeof smallTask>) => {
      touch()
      await service.readTask(task.id)
    }
    expect((await carriedOutWhere({ attempt: anonymous, late })).sentences).toEqual([])
    let isLate = false
    const again = (small: ReturnType<typeof smallTask>) => {
      isLate = true
      return late(small)
    }
    const bend: Bend = (one) =>
      isWithoutActor(one) ? { status: 422, isCarriedOut: isLate } : undefined
    const { sentences } = await carriedOutWhere({ attempt: anonymous, late: again, bend })
    expect(sentences).toEqual([expect.stringMatching(/, and it was carried out$/)])
  })

  test('is nothing where one was accepted in vain, if accepted updates do show', async () => {
    const bend: Bend = (one) =>
      isWithoutActor(one) ? { status: 200, isCarriedOut: false } : undefined
    await expect(carriedOutWhere({ bend })).rejects.toThrow(
      'no read shows what any accepted update',
    )
    const steps = [{ before: { assignment: null }, stored: { assignment: heldBy(anna) } }]
    expect((await carriedOutWhere({ bend, steps })).sentences).toEqual([])
  })
})
