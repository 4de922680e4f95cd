import { expect, test } from 'vitest'
import type { Exchange } from '../../../engine/http/exchange.ts'
import type { Assignee } from '../../../helpers/service/update-request.ts'
import {
  overlapOf,
  problemsOfNoWinner,
  type Rivalry,
  type Round,
  raceOnce,
  rounds,
} from '../../../helpers/updates/race.ts'
import { anna, askedBy, ben, cleo, heldBy, north, people, smallTask, south } from './small-task.ts'

async function raceOf(
  rivalry: Rivalry,
  {
    held = null as Assignee | null,
    of = people,
    ...more
  }: Parameters<typeof smallTask>[0] & {
    of?: Assignee[]
  } = {},
) {
  const small = smallTask({ held, ...more })
  const round = await raceOnce(await small.lend(), small.service, of, {
    ...{ actor: 'actor', writers: 4, name: 'Contract test, please ignore a race' },
    ...{ rivalry, isFirst: false, mayComment: { assign: true, unassign: true }, limitMs: 0 },
  })
  const names = new Map([anna, ben, cleo, north, south].map(({ id }, at) => [id, 'ABCNS'[at]]))
  const asked = small.sent.map((one) => names.get(askedBy(one)?.assigned_to_id ?? '') ?? '-')
  return { round, asked: asked.join('') }
}

test.each<[Rivalry, Assignee | null, string]>([
  ['assign', null, 'ABCA'],
  ['assign', anna, 'BCBC'],
  ['unassign', anna, '-B-C'],
  ['unassign', null, 'AABB'],
  ['both', anna, '-B-C'],
  ['team', anna, 'NSNS'],
])('simultaneous updates that %s, of a task of %j, ask for %s', async (rivalry, held, expected) => {
  expect((await raceOf(rivalry, { held })).asked).toBe(expected)
})

test('a losing update may be refused for asking for the current or the earlier assignee', async () => {
  // The first two ask for Anna, so the answers to Ben and Cleo count.
  expect((await raceOf('assign')).round.refused).toHaveLength(2)
  // The first has unassigned, and the third asked for the same.
  expect((await raceOf('both', { held: anna })).round.refused).toHaveLength(2)
  const bend = () => ({ status: 409 })
  expect((await raceOf('assign', { held: anna, of: [anna], bend })).round.refused).toEqual([])
})

test('a race is not settled if another writer has assigned the task since', async () => {
  let isOver = false
  const { round } = await raceOf('assign', {
    bend: () => {
      isOver = true
      return undefined
    },
    onRead: (task) => {
      if (!isOver) return
      task.updated_at = '2027-01-01T00:00:00.000Z'
      task.assignment = { ...heldBy(south), assignment_comment: 'by another' } as never
    },
  })
  expect(round.settled).toBe(false)
})

test('a race is not settled where an update may have been carried out unanswered', async () => {
  const bend = (one: Parameters<typeof askedBy>[0]) =>
    askedBy(one)?.assigned_to_id === cleo.id ? { status: 500 } : undefined
  const { round } = await raceOf('assign', { bend })
  // The answer to Ben counts; the second to Anna asked for what was done, and Cleo’s is unknown.
  expect(round).toMatchObject({ unknown: 1, settled: false, refused: [expect.anything()] })
})

test('three rounds in which all updates are refused and the first is accepted alone are a breach', () => {
  const refusal = { method: 'PUT', path: '/update', status: 409 }
  const lost = { winners: [], refused: [refusal, refusal], alone: { ...refusal, status: 200 } }
  const problemsOf = (...all: object[]) => problemsOfNoWinner(all as unknown as Round[])
  expect(problemsOf(lost, lost, lost)).toMatchObject([
    { expected: 'one accepted, 409 to the others', got: 'none accepted' },
  ])
  expect(problemsOf(lost, lost)).toEqual([])
  expect(problemsOf(lost, lost, lost, { ...lost, alone: refusal })).toEqual([])
})

test('requests overlap if one began while another was under way', () => {
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
  const askedWhere = async (mayUnassign: boolean) => {
    const asked: Rivalry[] = []
    const race = async (rivalry: Rivalry) => {
      asked.push(rivalry)
      return { stored: { assignment: left } } as unknown as Round
    }
    for await (const _round of rounds(race, { mayUnassign }));
    return asked
  }
  expect(await askedWhere(true)).toEqual(expected)
  expect(await askedWhere(false)).toEqual(['assign', 'assign', 'team'])
})
