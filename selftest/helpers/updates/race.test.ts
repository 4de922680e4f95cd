import { describe, expect, test } from 'vitest'
import type { Exchange } from '../../../engine/http/exchange.ts'
import { refusedUpdates } from '../../../helpers/history/questions.ts'
import type { Assignee } from '../../../helpers/service/update-request.ts'
import {
  overlapOf,
  problemsOfNoWinner,
  type Rivalry,
  type Round,
  raceOnce,
  rounds,
} from '../../../helpers/updates/race.ts'
import { anna, askedBy, ben, cleo, north, people, smallTask, south } from './small-task.ts'

const all = { assign: true, unassign: true }

const southBy = (by: string) => ({
  assigned_by_id: by,
  assigned_to_id: south.id,
  assigned_to_type: 'TEAM' as const,
  assignment_comment: 'by somebody',
})

async function raceOf(
  rivalry: Rivalry,
  {
    held = null as Assignee | null,
    writers = 4,
    mayComment = all,
    isFirst = false,
    of = people,
  } = {},
  bend?: NonNullable<Parameters<typeof smallTask>[0]>['bend'],
  onRead?: NonNullable<Parameters<typeof smallTask>[0]>['onRead'],
) {
  const small = smallTask({ held, ...(bend ? { bend } : {}), ...(onRead ? { onRead } : {}) })
  const round = await raceOnce(await small.lend(), small.service, of, {
    actor: 'actor',
    writers,
    name: 'Contract test, please ignore a race',
    rivalry,
    isFirst,
    mayComment,
    limitMs: 0,
  })
  const names = new Map([anna, ben, cleo, north, south].map(({ id }, at) => [id, 'ABCNS'[at]]))
  const asked = small.sent.map((one) => names.get(askedBy(one)?.assigned_to_id ?? '') ?? '-')
  const refused = refusedUpdates(small.history)
  return { round, asked: asked.join(''), sent: small.sent, refused, small }
}

describe('simultaneous updates', () => {
  test.each<[Rivalry, Assignee | null, string]>([
    ['assign', null, 'ABCA'],
    ['assign', anna, 'BCBC'],
    ['unassign', anna, '-B-C'],
    ['unassign', null, 'AABB'],
    ['both', anna, '-B-C'],
    ['both', null, 'AABB'],
    ['team', anna, 'NSNS'],
  ])('that %s, of a task of %j, ask for %s', async (rivalry, held, expected) => {
    expect((await raceOf(rivalry, { held })).asked).toBe(expected)
  })

  test('carry one version, and comments only where these are taken', async () => {
    const { sent, small } = await raceOf('both', {
      held: anna,
      mayComment: { assign: true, unassign: false },
    })
    expect(new Set(sent.map(({ version }) => version)).size).toBe(1)
    expect(
      sent.every(({ body }) => 'update' in body === JSON.stringify(body).includes('a race')),
    ).toBe(true)
    expect(small.task.assignment).toBeNull()
  })

  test('have one winner, and every loser is looked for from then on', async () => {
    const { round, refused } = await raceOf('assign')
    expect(round.winners.map(({ to }) => to)).toEqual([anna])
    expect(round).toMatchObject({ unknown: 0, settled: true, idle: false })
    expect(round.stored.assignment?.assigned_to_id).toBe(anna.id)
    const comments = [2, 3, 4].map((n) => `Contract test, please ignore a race ${n}`)
    expect(refused.map(({ token }) => token)).toEqual(comments)
  })

  test('that ask for what was just done, or for what was before, may be refused for that', async () => {
    // Anna is asked for twice, and first: what Ben and Cleo are answered counts.
    expect((await raceOf('assign')).round.refused).toHaveLength(2)
    // The first has unassigned: the third asked for the same.
    expect((await raceOf('both', { held: anna })).round.refused).toHaveLength(2)
  })

  test('of which none is accepted are followed by the first, alone', async () => {
    let count = 0
    const { round, sent } = await raceOf('assign', {}, () => {
      count += 1
      return count <= 4 ? { status: 409 } : undefined
    })
    expect(round.winners).toEqual([])
    expect(round.refused).toHaveLength(4)
    expect(round.alone?.status).toBe(200)
    expect(sent[4]?.version).toBe(sent[0]?.version)
  })

  test('of which one may have been carried out unanswered leave the rest undecided', async () => {
    const [, , third] = [anna, ben, cleo]
    const bend = (one: Parameters<typeof askedBy>[0]) =>
      askedBy(one)?.assigned_to_id === third.id ? { status: 500 } : undefined
    const { round } = await raceOf('assign', {}, bend)
    expect(round).toMatchObject({ unknown: 1, settled: false })
    // What Ben was answered counts; the second to Anna was for what was done, Cleo’s is not known.
    expect(round.refused).toHaveLength(1)
  })

  test('are followed by what reads show afterwards, be it a loser’s', async () => {
    let at = 0
    const { round } = await raceOf('assign', {}, () => {
      at += 1
      return at === 2 ? { status: 409, isCarriedOut: true } : undefined
    })
    expect(round.winners.map(({ to }) => to)).toEqual([anna])
    expect(round.stored.assignment?.assigned_to_id).toBe(ben.id)
    // The comment is one of the race, so it was nobody else.
    expect(round.settled).toBe(true)
  })

  test('are not settled where somebody else has assigned the task since', async () => {
    let isOver = false
    const { round } = await raceOf(
      'assign',
      { writers: 2 },
      () => {
        isOver = true
        return undefined
      },
      (task) => {
        if (!isOver) return
        task.updated_at = '2027-01-01T00:00:00.000Z'
        task.assignment = { ...task.assignment, ...southBy('somebody') }
      },
    )
    expect(round.settled).toBe(false)
  })

  test.each([
    ['is taken for unassigning afterwards as well', true],
    ['is looked at', false],
  ])('that all unassign are no race where the version %s', async (_, isIdle) => {
    let at = 0
    const { round, sent } = await raceOf('unassign', { held: anna, writers: 4 }, (one) => {
      if (askedBy(one)) return { status: 409 }
      at += 1
      return at <= 2 || isIdle ? { status: 200 } : undefined
    })
    expect(round.winners).toHaveLength(2)
    expect(round.idle).toBe(isIdle)
    expect(sent[4]?.body).toMatchObject({ unassign: { assigned_by_id: 'actor' } })
  })

  test('to whom the task was assigned before may be refused for that', async () => {
    // Anna alone is known: she has the task, and may be refused for having it.
    const { round } = await raceOf('assign', { held: anna, of: [anna] }, () => ({ status: 409 }))
    expect(round.refused).toEqual([])
  })

  test.each<[Rivalry, Assignee | null, string[]]>([
    ['assign', null, ['assign.unassigned-to-user', 'assign.user-to-user', 'assign.team-to-user']],
    ['team', null, ['assign.unassigned-to-team', 'assign.user-to-team', 'assign.team-to-team']],
    ['unassign', anna, ['assign.unassign-user', 'assign.unassign-team']],
  ])('that %s, and are all refused, are for the clauses on each', async (rivalry, held, owners) => {
    const refused = raceOf(rivalry, { held }, () => ({ status: 422 }))
    await expect(refused).rejects.toMatchObject({ why: { cause: 'clause', owners } })
  })

  test('that are refused for something else, and none accepted, tell nothing', async () => {
    const refused = raceOf('assign', {}, () => ({ status: 422 }))
    await expect(refused).rejects.toThrow(/none of 4 simultaneous updates was accepted/)
    const forbidden = raceOf('assign', {}, () => ({ status: 403 }))
    await expect(forbidden).rejects.toThrow(/the key may not do this/)
  })
})

describe('simultaneous updates that are all refused', () => {
  const refusal = { method: 'PUT', path: '/update', status: 409 }
  const lost = {
    winners: [],
    refused: [refusal, refusal],
    alone: { ...refusal, status: 200 },
  } as unknown as Round

  test('are condemned where the first is accepted alone, in three rounds', () => {
    expect(problemsOfNoWinner([lost, lost, lost])).toMatchObject([
      {
        sentence:
          '2 simultaneous updates with the current version were answered 409 in each of 3 rounds, and one of them, sent again alone, 200',
        expected: 'one accepted, 409 to the others',
        got: 'none accepted',
      },
    ])
  })

  test('are not where that was so in fewer rounds, or not in each', () => {
    const alike = { ...lost, alone: refusal } as unknown as Round
    expect(problemsOfNoWinner([lost, lost])).toEqual([])
    expect(problemsOfNoWinner([lost, lost, lost, alike])).toEqual([])
  })
})

test('requests were under way at one moment where one began while others went on', () => {
  const at = (start: number, milliseconds: number) =>
    ({ start: new Date(start).toISOString(), milliseconds }) as Exchange
  expect(overlapOf([])).toBe(0)
  expect(overlapOf([at(0, 10), at(20, 10), at(40, 10)])).toBe(1)
  expect(overlapOf([at(0, 30), at(20, 30), at(40, 10)])).toBe(2)
  expect(overlapOf([at(0, 30), at(20, 30), at(25, 30)])).toBe(3)
})

test.each([
  ['unassigned by both', null, ['assign', 'both', 'assign', 'team']],
  ['assigned by both', anna, ['assign', 'both', 'unassign', 'team']],
])('rounds ask for every kind, and after both for the other: %s', async (_, left, expected) => {
  const asked: Rivalry[] = []
  const race = async (rivalry: Rivalry) => {
    asked.push(rivalry)
    return { stored: { assignment: left } } as unknown as Round
  }
  for await (const _round of rounds(race, { mayUnassign: true }));
  expect(asked).toEqual(expected)
  asked.length = 0
  for await (const _round of rounds(race, { mayUnassign: false }));
  expect(asked).toEqual(['assign', 'assign', 'team'])
})
