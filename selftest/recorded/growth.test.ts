import { expect, test } from 'vitest'
import type { Recorded } from '../../helpers/service/seen.ts'
import { makeWorld } from '../../reference/world/world.ts'
import { judgementOf } from './client.ts'
import { recordOf, updateOf } from './har.ts'

test('five times the exchanges with one task take about five times the steps', async () => {
  const [shown, { id: other } = { id: '' }] = makeWorld(1, { events: 1 }).tasks
  const task = shown?.id ?? ''
  const assigned = { assigned_by_id: task, assigned_to_id: other, assigned_to_type: 'USER' }
  const versionOf = (round: number) => new Date(round * 1000).toISOString()
  /** In turns an accepted update, one that is refused, and a read. */
  const recorded = Array.from({ length: 750 }, (_, at) => {
    const [round, turn] = [Math.floor(at / 3), at % 3]
    const read = { path: `/tasks/${task}` }
    return recordOf({
      ...(turn === 2 ? read : updateOf(task, versionOf(round), { update: assigned })),
      ...{ number: at + 1, start: round * 1000 + turn * 300 },
      body: { ...shown, updated_at: versionOf(round + 1), assignment: assigned },
      ...(turn === 1 && { status: 409, body: {} }),
    })
  })
  const few = await stepsOf(recorded.slice(0, recorded.length / 5))
  const many = await stepsOf(recorded)
  expect(few).toBeGreaterThan(recorded.length)
  expect(many / few).toBeLessThan(6)
})

/** How often loops over lists call back. */
async function stepsOf(recorded: readonly Recorded[]): Promise<number> {
  let count = 0
  const lists = Array.prototype as unknown as Record<string, (...given: unknown[]) => unknown>
  const names = ['every', 'filter', 'find', 'findLast', 'flatMap', 'map', 'some']
  const own = names.map((name) => [name, lists[name]] as const)
  for (const [name, usual] of own)
    lists[name] = function (this: unknown[], visit: unknown, ...more: unknown[]) {
      const counted = (...given: unknown[]) => {
        count += 1
        return (visit as (...given: unknown[]) => unknown)(...given)
      }
      return usual?.call(this, counted, ...more)
    }
  try {
    await judgementOf(recorded)
  } finally {
    for (const [name, usual] of own) if (usual) lists[name] = usual
  }
  return count
}
