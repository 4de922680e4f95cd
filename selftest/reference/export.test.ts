import { describe, expect, test } from 'vitest'
import { makeEvents, metadataKeys } from '../../reference/calls/events.ts'
import { type Parameter, parameters } from '../../reference/calls/export-call.ts'
import { listen } from '../../reference/listen.ts'
import { open } from '../../reference/rules/open.ts'
import { stated } from '../../reference/rules/stated.ts'
import { createService } from '../../reference/service.ts'
import { makeWorld } from '../../reference/world/world.ts'
import { untilTestEnd } from '../test-end.ts'
import {
  csv,
  events,
  exported,
  ids,
  idsOf,
  type Query,
  rowsOf,
  service,
  smallWorld as world,
} from './exported.ts'

describe('the events a world begins with', () => {
  test('are the same for the same seed, thousands over more than a year, and made late', () => {
    expect(makeEvents(makeWorld(1, { events: 1_200 }))).toEqual(events)
    expect(makeWorld(1).eventCount).toBeGreaterThanOrEqual(6_500)
    const times = events.map(({ time }) => time)
    expect(times.toSorted()).toEqual(times)
    expect(new Set(times).size).toBe(times.length)
    for (const change of ['2024-10-27', '2025-03-30', '2025-10-26']) {
      expect([times[0], change, times.at(-1)].toSorted()[1]).toBe(change)
    }
  })

  test('have every metadata key, coherent with the tasks', () => {
    for (const key of metadataKeys) {
      const having = events.filter(({ metadata }) => metadata[key] !== undefined)
      expect(having.length, key).toBeGreaterThan(50)
      expect(having.length, key).toBeLessThanOrEqual(events.length)
    }
    for (const { metadata, auditee_id } of events) {
      expect(world.users.some(({ id }) => id === auditee_id)).toBe(true)
      const task = world.tasks.find(({ id }) => id === metadata.task_id)
      if (task) expect(task.entity_id).toBe(metadata.entity_id)
    }
  })
})

describe('the CSV', () => {
  test('holds every event as it is stored', async () => {
    const rows = await csv()
    expect(rows).toEqual(
      events.map(({ metadata, time, ...event }) => ({
        ...event,
        time: `${time.slice(0, 23)}Z`,
        ...Object.fromEntries(metadataKeys.map((key) => [key, metadata[key] ?? ''])),
      })),
    )
  })

  test('is what a request without file_type and locale gets, with 401 for a wrong key', async () => {
    const text = await (await exported()).text()
    expect(await (await exported({ file_type: 'csv', locale: 'en' })).text()).toBe(text)
    const path = 'http://reference/v5/audit-sentinel/events/export'
    expect((await service.fetch(new Request(path))).status).toBe(401)
  })

  test('is written while it is read, and no further', async () => {
    let written = 0
    const cells = (row: { cells: string[] }) => {
      written += 1
      return row.cells
    }
    const counted = createService({ world, stated: { ...stated, cells } })
    const reader = (await exported({}, counted)).body?.getReader()
    expect((await reader?.read())?.done).toBe(false)
    await reader?.cancel()
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(written).toBeLessThan(events.length)
  })

  test.each(['gzip', 'br', 'deflate'] as const)('goes through %s and a port', async (encoding) => {
    const bent = createService({ world, open: { ...open, encoding: () => encoding } })
    const { baseUrl } = untilTestEnd(await listen(bent))
    const headers = { apikey: world.apiKey }
    const answer = await fetch(`${baseUrl}/audit-sentinel/events/export`, { headers })
    expect(answer.headers.get('content-encoding')).toBe(encoding)
    expect(idsOf(await rowsOf(answer))).toEqual(idsOf(events))
  })
})

describe('the filters', () => {
  const some = events[7] as (typeof events)[number]

  test.each(parameters)(
    '%s: exact, united, empty for what nothing has',
    async (name: Parameter) => {
      const values = [...new Set(events.map((event) => event[name]))].slice(0, 2)
      for (const chosen of [values.slice(0, 1), values]) {
        expect(await ids({ [name]: chosen })).toEqual(
          idsOf(events.filter((event) => chosen.includes(event[name]))),
        )
      }
      expect(await ids({ [name]: 'nothing' })).toEqual([])
      expect(await ids({ [name]: (values[0] as string).slice(0, -1) })).toEqual([])
    },
  )

  test.each(metadataKeys)('metadata[%s]: exact, empty for what nothing has', async (key) => {
    const value = events.find(({ metadata }) => metadata[key])?.metadata[key] as string
    expect(await ids({ [`metadata[${key}]`]: value })).toEqual(
      idsOf(events.filter(({ metadata }) => metadata[key] === value)),
    )
    expect(await ids({ [`metadata[${key}]`]: 'nothing' })).toEqual([])
  })

  test('hold together', async () => {
    const query = {
      event_type: 'task',
      'metadata[entity_id]': world.entities[0]?.id.toUpperCase() as string,
      'metadata[tag]': 'vip',
    }
    const expected = events.filter(
      ({ event_type, metadata }) =>
        event_type === 'task' &&
        metadata.entity_id === world.entities[0]?.id &&
        metadata.tag === 'vip',
    )
    expect(expected.length).toBeGreaterThan(1)
    expect(await ids(query)).toEqual(idsOf(expected))
  })

  test.each([
    ['brackets', (n: number) => `event_type[]#${n}`],
    ['indices', (n: number) => `event_type[${n}]`],
    ['comma', () => 'event_type'],
  ] as const)('are understood in %s where the service does so', async (encoding, name) => {
    const bent = createService({ world, open: { ...open, arrayEncodings: () => [encoding] } })
    const values = ['task', 'entity']
    const query: Query =
      encoding === 'comma'
        ? { event_type: values.join(',') }
        : encoding === 'brackets'
          ? { 'event_type[]': values }
          : Object.fromEntries(values.map((value, n) => [name(n), value]))
    expect(await ids(query, bent)).toEqual(await ids({ event_type: values }))
  })

  test('count in faults as they are bent', async () => {
    const bend = (bent: Partial<typeof stated>) =>
      createService({ world, stated: { ...stated, ...bent } })
    const two = { event_type: ['task', 'entity'], sub_type: some.sub_type }
    const right = await ids(two)
    const first = bend({
      filters: ({ filters }) => filters.map((f) => ({ ...f, values: f.values.slice(0, 1) })),
    })
    expect((await ids(two, first)).length).toBeLessThan(right.length)
    const crossed = bend({ filterHolds: ({ matches }) => matches.every(Boolean) })
    expect(await ids(two, crossed)).toEqual([])
    const either = bend({ filtersHold: ({ held }) => held.some(Boolean) })
    expect((await ids(two, either)).length).toBeGreaterThan(right.length)
    const known = bend({
      filters: ({ filters, events }) =>
        filters.filter(({ name, values }) =>
          events.some((event) => values.includes(event[name as Parameter])),
        ),
    })
    expect(await ids({ event_type: 'nothing' }, known)).toEqual(idsOf(events))
  })
})

describe('the range', () => {
  const [early, late] = [events[100], events[300]] as [{ time: string }, { time: string }]
  const shown = ({ time }: { time: string }) => `${time.slice(0, 23)}Z`

  test('holds both of its bounds, either bound alone, and null or nothing for none', async () => {
    const range = { range_start: shown(early), range_end: shown(late) }
    expect(await ids(range)).toEqual(idsOf(events.slice(100, 301)))
    expect(await ids({ range_start: shown(early) })).toEqual(idsOf(events.slice(100)))
    expect(await ids({ range_end: shown(late) })).toEqual(idsOf(events.slice(0, 301)))
    const instant = { range_start: shown(early), range_end: shown(early) }
    expect(await ids(instant)).toEqual(idsOf(events.slice(100, 101)))
    expect(await ids({ range_start: 'null', range_end: '', timezone: 'null' })).toHaveLength(1_200)
  })

  test.each([
    [{ range_start: shown(late), range_end: shown(early) }],
    [{ range_start: shown(late), range_end: shown(early), file_type: 'pdf' }],
    [{ range_start: 'yesterday' }],
    [{ range_end: '2025-02-30T00:00:00Z' }],
    [{ range_end: '2025-02-03' }],
    [{ file_type: 'xml' }],
    [{ locale: 'xx' }],
    [{ timezone: 'Mars/Olympus' }],
    [{ timezone: '+02:00' }],
    [{ 'metadata[colour]': 'red' }],
  ])('and what else is wrong: 400 for %j', async (query) => {
    expect((await exported(query as Query)).status).toBe(400)
  })
})
