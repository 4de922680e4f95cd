import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../../engine/http/exchange.ts'
import { Trouble } from '../../../engine/outcome.ts'
import { createJourneyView } from '../../../helpers/updates/journey.ts'
import {
  anna,
  askedBy,
  ben,
  cleo,
  north,
  people,
  settings,
  smallTask,
  south,
} from './small-task.ts'

function journeyWhere(
  bend: NonNullable<Parameters<typeof smallTask>[0]>['bend'],
  given = settings,
) {
  const small = smallTask({ ...(bend ? { bend } : {}) })
  const recorded: Exchange[] = []
  const view = createJourneyView(
    {
      history: small.history,
      settings: given,
      lending: small.lending,
      journeys: new Map(),
      serviceFor: (record) => {
        // What is asked from now on is its.
        small.hear(record)
        return small.service
      },
      findings: new Map(),
      watchers: {},
      returning: [],
      stop: small.stop,
    },
    (exchange) => recorded.push(exchange),
  )
  return { view, recorded, sent: small.sent, onLoan: small.onLoan }
}

/** Refuses every update to these people. */
const refusing =
  (status: number, ...ids: string[]) =>
  (one: Parameters<typeof askedBy>[0]) =>
    ids.includes(askedBy(one)?.assigned_to_id ?? '') ? { status } : undefined

describe('comments go to those whom the service was seen to accept', () => {
  const comments = async (...refused: string[]) => {
    const { view, sent } = journeyWhere(refusing(422, ...refused))
    await view.accepted('transitions')
    const from = sent.length
    const step = await view.step('comments', 'non-latin')
    const asked = sent.slice(from).flatMap((one) => askedBy(one)?.assigned_to_id ?? [])
    return { step, asked: new Set(asked) }
  }

  test('and to nobody else', async () => {
    const { step, asked } = await comments(anna.id)
    expect(step.answer.status).toBe(200)
    expect(asked).not.toContain(anna.id)
    expect(asked.size).toBeGreaterThan(1)
  })

  test('but to all where one alone was accepted, for one cannot be reassigned', async () => {
    const [, ...others] = people
    const { asked } = await comments(...others.map(({ id }) => id))
    expect(asked.size).toBeGreaterThan(1)
  })
})

describe('a refused step', () => {
  test('is the assignee’s where others were accepted, and no update to this one ever was', async () => {
    const [, , , north, south] = people
    const { view } = journeyWhere(refusing(422, north?.id ?? '', south?.id ?? ''))
    const step = await view.step('transitions', 'user-to-team')
    await expect(view.needPermitted(step)).rejects.toThrow(/was never accepted; set TEAM_IDS to/)
  })

  test('is judged where its assignee was accepted elsewhere', async () => {
    let count = 0
    const { view } = journeyWhere((one) => {
      const isBack = askedBy(one)?.assigned_to_id !== undefined && one.isCurrent
      count += isBack ? 1 : 0
      return count === 6 && isBack ? { status: 422 } : undefined
    })
    const names = ['unassigned-to-user', 'user-to-user', 'user-to-team', 'team-to-team'] as const
    for (const name of names) await view.needPermitted(await view.step('transitions', name))
  })

  test('is not decided where the key may not do it', async () => {
    const { view } = journeyWhere(refusing(403, anna.id))
    const step = await view.step('transitions', 'unassigned-to-user')
    await expect(view.needPermitted(step)).rejects.toMatchObject({ why: { cause: 'refused' } })
  })

  test('is the operator’s where every one was refused', async () => {
    const { view } = journeyWhere(() => ({ status: 422 }))
    const step = await view.step('transitions', 'unassigned-to-user')
    await expect(view.needPermitted(step)).rejects.toMatchObject({ why: { cause: 'refused' } })
    await expect(view.needPermitted(step)).rejects.toThrow(/check ACTOR_ID, USER_IDS/)
  })

  test('is for the clause on current versions where every one was answered 409', async () => {
    const { view } = journeyWhere(() => ({ status: 409 }))
    const step = await view.step('transitions', 'unassigned-to-user')
    await expect(view.needPermitted(step)).rejects.toMatchObject({
      why: { cause: 'clause', owners: ['version.current-accepted'] },
    })
  })
})

test('a step is evidence of whoever asks for it, and the task is given back', async () => {
  const { view, recorded, onLoan } = journeyWhere(() => undefined)
  const { evidence } = await view.step('transitions', 'user-to-user')
  expect(recorded).toEqual(evidence)
  expect(onLoan()).toBe(0)
  const accepted = await view.accepted('transitions')
  expect(recorded).toEqual([...evidence, ...accepted.flatMap((step) => step.evidence)])
})

test('trouble at every step is trouble of whoever needs one', async () => {
  const trouble = new Trouble('no answer')
  const { view } = journeyWhere(() => {
    throw trouble
  })
  await expect(view.accepted('transitions')).rejects.toBe(trouble)
})

test('people are those whom accepted steps went to', async () => {
  const { view } = journeyWhere(refusing(422, cleo.id))
  const ids = (await view.people()).map(({ id }) => id)
  expect(ids).toEqual(expect.arrayContaining([anna.id, ben.id]))
  expect(ids).not.toContain(cleo.id)
})

describe('people are known', () => {
  const updatesUntilKnown = async (bend: Parameters<typeof journeyWhere>[0]) => {
    const { view, sent } = journeyWhere(bend)
    const ids = (await view.people()).map(({ id }) => id)
    const known = sent.length
    await view.accepted('transitions')
    return { ids, share: known / sent.length }
  }

  test('as soon as users and teams were accepted', async () => {
    const { ids, share } = await updatesUntilKnown(() => undefined)
    expect(ids).toHaveLength(4)
    expect(share).toBeLessThan(0.6)
  })

  test('at the end where no team was: one of them may be met later', async () => {
    const { ids, share } = await updatesUntilKnown(refusing(422, north.id, south.id))
    expect(ids).toContain(anna.id)
    expect(share).toBe(1)
  })

  test('nowhere where all were: what the journey says of it is said', async () => {
    const { view } = journeyWhere(() => ({ status: 422 }))
    await expect(view.people()).rejects.toThrow('no update of a task was accepted')
  })
})

test('without anybody to assign to no journey is set out on', async () => {
  const { view, sent } = journeyWhere(
    undefined as never,
    { actorId: 'A', userIds: [], teamIds: [] } as never,
  )
  await expect(view.accepted('transitions')).rejects.toThrow('set USER_IDS: users to assign to')
  expect(sent).toEqual([])
})
