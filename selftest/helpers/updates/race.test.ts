import { expect, test } from 'vitest'
import type { Exchange } from '../../../engine/http/exchange.ts'
import type { Loan } from '../../../helpers/loans/lending.ts'
import type { Service } from '../../../helpers/service/service.ts'
import {
  overlapOf,
  type Rivalry,
  type Round,
  raceOnce,
  rounds,
} from '../../../helpers/updates/race.ts'

const people = ['Anna', 'Ben', 'Cleo'].map((id) => ({ id, type: 'USER' as const }))
const by = { assigned_by_id: 'A', assigned_to_type: 'USER' }
const heldBy = (assigned_to_id: string) => ({ ...by, assigned_to_id })

/** A race for an unassigned task with these answers to Anna, Ben, Cleo and Anna, and the task after it. */
async function raced(statuses: number[], shown: object) {
  const task = { id: 't', updated_at: 'v1', assignment: null }
  const won = { ...task, updated_at: 'v2', assignment: heldBy('Anna') }
  const answers = statuses.map((status) => {
    const text = JSON.stringify(status === 200 ? won : {})
    return { status: 'fulfilled', value: { method: 'PUT', path: '/t', status, text } }
  })
  const after = async () => ({ ...won, ...shown })
  const current = { newest: async () => task, read: after, watch: after }
  const loan = { task, used: new Set(), current } as unknown as Loan
  const service = { putTogether: async () => answers } as unknown as Service
  const mayComment = { assign: false, unassign: false }
  const plan = { actor: 'A', writers: 4, name: 'race', isFirst: false, mayComment, known: task }
  const round = await raceOnce(loan, service, people, { ...plan, rivalry: 'assign' })
  return { refused: round.refused.length, unknown: round.unknown, settled: round.settled }
}

// The second update to Anna may be refused for what it asks for.
// biome-ignore format: one race a line
test.each([
  ['is settled if its winner is shown', [200, 409, 422, 409], {}, { refused: 2, unknown: 0, settled: true }],
  ['is not if another writer has assigned the task since', [200, 409, 409, 409], { updated_at: 'v3', assignment: heldBy('Ben') }, { refused: 2, unknown: 0, settled: false }],
  ['is not where an update may have been carried out unanswered', [200, 409, 500, 409], {}, { refused: 1, unknown: 1, settled: false }],
])('a race %s', async (_, statuses, shown, expected) => {
  expect(await raced(statuses, shown)).toEqual(expected)
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
  ['assigned by both', {}, ['assign', 'both', 'unassign', 'team']],
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
