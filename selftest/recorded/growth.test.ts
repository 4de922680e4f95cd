import { expect, test } from 'vitest'
import type { Recorded } from '../../helpers/recorded/recorded.ts'
import { makeWorld } from '../../reference/world/world.ts'
import { judgementOf } from './client.ts'

test('five times the exchanges with one task take about five times the steps', async () => {
  const [shown, { id: other } = { id: '' }] = makeWorld(1, { events: 1 }).tasks
  const task = shown?.id ?? ''
  const requestHeaders = { host: 'api.example.com', apikey: 'a-key-of-a-client' }
  const read = {
    number: 0,
    recorder: 0,
    start: 0,
    end: 0,
    method: 'GET',
    path: `/tasks/${task}`,
    requestHeaders,
    status: 200,
    headers: {},
  }
  const assigned = { assigned_by_id: task, assigned_to_id: other, assigned_to_type: 'USER' }
  const versionOf = (round: number) => new Date(read.start + round * 1000).toISOString()
  const recorded = Array.from({ length: 250 }, (_, round): Recorded[] => {
    const now = { ...shown, updated_at: versionOf(round + 1), assignment: assigned }
    const place = {
      ...read,
      start: read.start + round * 1000,
      body: Buffer.from(JSON.stringify(now)),
    }
    const headers = { ...requestHeaders, 'if-match': versionOf(round) }
    const update: Recorded = {
      ...place,
      method: 'PUT',
      path: `${read.path}/update-assignment`,
      requestHeaders: headers,
      requestBody: JSON.stringify({ update: assigned }),
    }
    return [update, { ...update, status: 409, body: Buffer.from('{}') }, place]
  })
    .flat()
    .map((each, at) => ({
      ...each,
      number: at + 1,
      start: each.start + (at % 3) * 300,
      end: each.start + (at % 3) * 300 + 20,
    }))
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
