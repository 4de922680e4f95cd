import { setImmediate, setTimeout } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { makeEvents, metadataKeys } from '../../reference/calls/events.ts'
import { type Parameter, parameters } from '../../reference/calls/export-call.ts'
import { inTurns } from '../../reference/export/in-turns.ts'
import { stated } from '../../reference/rules/stated.ts'
import { createService } from '../../reference/service.ts'
import { makeWorld } from '../../reference/world/world.ts'
import {
  csv,
  events,
  exported,
  ids,
  idsOf,
  pdfText,
  type Query,
  smallWorld as world,
} from './exported.ts'

test('the events of a world are the same for the same seed, over more than a year, coherent with its tasks', () => {
  expect(makeEvents(makeWorld(1, { events: 1_200 }))).toEqual(events)
  const times = events.map(({ time }) => time)
  expect(times.toSorted()).toEqual(times)
  for (const change of ['2024-10-27', '2025-03-30', '2025-10-26'])
    expect([times[0], change, times.at(-1)].toSorted()[1]).toBe(change)
  for (const { metadata, auditee_id } of events) {
    expect(world.users.some(({ id }) => id === auditee_id)).toBe(true)
    const task = world.tasks.find(({ id }) => id === metadata.task_id)
    if (task) expect(task.entity_id).toBe(metadata.entity_id)
  }
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
    await setTimeout(20)
    expect(written).toBeLessThan(events.length)
  })

  test.each([
    ['Europe/Berlin', '+02:00', '+01:00'],
    ['Pacific/Kiritimati', '+14:00', '+14:00'],
    ['America/St_Johns', '-02:30', '-03:30'],
  ])(
    '%s writes summer %s and winter %s, of the same instants',
    async (timezone, summer, winter) => {
      const rows = await csv({ timezone })
      const instants = events.map(({ time }) => `${time.slice(0, 23)}Z`)
      expect(rows.map(({ time }) => new Date(time).toISOString())).toEqual(instants)
      const offsetsIn = (month: string) =>
        new Set(rows.filter(({ time }) => time.startsWith(month)).map(({ time }) => time.slice(23)))
      expect([...offsetsIn('2024-07'), ...offsetsIn('2025-01')]).toEqual([summer, winter])
    },
  )

  test('lets other tasks run while it is written, and before the first page of a PDF', async () => {
    const file = exported().then((answer) => answer.text())
    expect(await turnsUntil(file)).toBeGreaterThanOrEqual(events.length / 200 - 1)
    expect(await turnsUntil(inTurns(events, ({ id }) => id))).toBe(events.length / 200 - 1)
  })
})

test('a PDF holds every event chosen, by id and time', async () => {
  const query = { file_type: 'pdf', range_end: '2024-10-01T00:00:00Z', timezone: 'Asia/Tokyo' }
  const { text, pages } = await pdfText(await exported(query))
  const chosen = events.filter(({ time }) => time < '2024-10')
  expect(text.match(/[0-9a-f]{8}-[0-9a-f-]{27}/g)).toEqual(idsOf(chosen))
  expect(text.match(/\+09:00/g)).toHaveLength(chosen.length)
  expect(text).toContain('Проверка документов завершена')
  expect(pages).toBe(Math.ceil(chosen.length / 69))
})

describe('the filters', () => {
  test.each(parameters)(
    '%s: exact, united, empty for an unknown value',
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

  test.each(metadataKeys)('metadata[%s]: exact, empty for an unknown value', async (key) => {
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

/** How often other tasks ran until this was done. */
async function turnsUntil(done: Promise<unknown>): Promise<number> {
  let isDone = false
  const ended = done.finally(() => {
    isDone = true
  })
  let turns = 0
  for (; !isDone; turns += 1) await setImmediate()
  await ended
  return turns
}
