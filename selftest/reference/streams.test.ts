// A world is drawn anew from tables that have one thing more: nothing else in it may differ.
import { afterEach, expect, test, vi } from 'vitest'
import type * as Keys from '../../reference/calls/event-keys.ts'
import type { AuditEvent } from '../../reference/calls/events.ts'
import type * as Streams from '../../reference/world/streams.ts'
import type { World } from '../../reference/world/world.ts'

afterEach(() => {
  vi.doUnmock('../../reference/world/streams.ts')
  vi.doUnmock('../../reference/calls/event-keys.ts')
})

const resources = ['institutions', 'entities', 'users', 'teams', 'tasks', 'assessments'] as const

test('a field more of each resource and of events moves no other value', async () => {
  const before = await makeAll()
  vi.doMock('../../reference/world/streams.ts', withField)
  const after = await makeAll()
  expect(after.world.apiKey).toBe(before.world.apiKey)
  for (const resource of resources) {
    expect(after.world[resource].every(hasAdded), resource).toBe(true)
    expect(after.world[resource].map(withoutAdded), resource).toEqual(before.world[resource])
  }
  expect(after.events.every(hasAdded)).toBe(true)
  expect(after.events.map(withoutAdded)).toEqual(before.events)
})

test.each<[string, Keys.Values]>([
  ['ids', { ids: 5 }],
  ['words', { words: ['low', 'high'] }],
  ['the values of a field', { field: 'created_at' }],
])('a metadata key more, with %s, moves no other value', async (_, values) => {
  const before = await makeAll()
  vi.doMock('../../reference/calls/event-keys.ts', withKey(values))
  const after = await makeAll()
  expect(after.world).toEqual(before.world)
  expect(after.events.filter(({ metadata }) => hasAdded(metadata)).length).toBeGreaterThan(100)
  const others = after.events.map(({ metadata, ...event }) => {
    return { ...event, metadata: withoutAdded(metadata) }
  })
  expect(others).toEqual(before.events)
})

/** A world, its first events and some of its traffic. */
async function makeAll(): Promise<{ world: World; events: AuditEvent[] }> {
  vi.resetModules()
  const { makeWorld } = await import('../../reference/world/world.ts')
  const { eventMaker, makeEvents } = await import('../../reference/calls/event-maker.ts')
  const world = makeWorld(1)
  const makeTraffic = eventMaker(world, 1)
  const traffic = Array.from({ length: 20 }, (_, n) => makeTraffic(() => n))
  return { world, events: [...makeEvents(world, 300), ...traffic] }
}

/** Each table begins with a field more. */
async function withField(load: () => Promise<typeof Streams>): Promise<typeof Streams> {
  const actual = await load()
  return {
    ...actual,
    rowMaker(table, streams) {
      const added: Streams.Make<object, string, unknown> = (stream) => stream().string.uuid()
      const fields = { added, ...table.fields }
      return actual.rowMaker({ ...table, fields }, streams)
    },
  }
}

/** The table of keys begins with a key more, which each kind of event may have. */
const withKey =
  (values: Keys.Values) =>
  async (load: () => Promise<typeof Keys>): Promise<typeof Keys> => {
    const actual = await load()
    const added = { ...values, of: 'assessment task entity screening inquiry' }
    return { ...actual, keys: Object.assign({ added }, actual.keys) }
  }

const hasAdded = (row: object): boolean => 'added' in row

const withoutAdded = <Row extends object>(row: Row) => {
  const { added, ...others } = row as Row & { added?: string }
  return others
}
