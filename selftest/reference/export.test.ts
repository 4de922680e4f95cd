import Papa from 'papaparse'
import { describe, expect, test } from 'vitest'
import { makeEvents, metadataKeys } from '../../reference/calls/events.ts'
import { type Parameter, parameters } from '../../reference/calls/export-call.ts'
import { listen } from '../../reference/listen.ts'
import { open } from '../../reference/rules/open.ts'
import { stated } from '../../reference/rules/stated.ts'
import { createService, type Service } from '../../reference/service.ts'
import { PDF_LIMIT } from '../../reference/world/limits.ts'
import { makeWorld, type Task } from '../../reference/world/world.ts'
import { untilTestEnd } from '../test-end.ts'

const world = makeWorld(1, { events: 1_200 })
const events = makeEvents(world)
const idsOf = (rows: { id: string }[]) => rows.map(({ id }) => id)
const service = createService({ world })

type Query = Record<string, string | string[]>

const exported = (query: Query = {}, from: Service = service) => {
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, values]) =>
      [values].flat().map((value): [string, string] => [name, value]),
    ),
  )
  return from.fetch(
    new Request(`http://reference/v5/audit-sentinel/events/export?${search}`, {
      headers: { apikey: from.world.apiKey },
    }),
  )
}

const rowsOf = async (answer: Response, delimiter = ',') => {
  expect(answer.status).toBe(200)
  const { data, errors } = Papa.parse<Record<string, string>>(await answer.text(), {
    header: true,
    delimiter,
    newline: '\r\n',
    skipEmptyLines: true,
  })
  expect(errors).toEqual([])
  return data as ({ id: string; time: string } & Record<string, string>)[]
}

const csv = async (query?: Query, from?: Service) => rowsOf(await exported(query, from))
const ids = async (query?: Query, from?: Service) => idsOf(await csv(query, from))

const pdfText = async (answer: Response) => {
  expect(answer.status).toBe(200)
  const { PDFParse } = await import('pdf-parse')
  const parser = new PDFParse({ data: Buffer.from(await answer.arrayBuffer()) })
  const { text, total } = await parser.getText({ pageJoiner: '' })
  await parser.destroy()
  return { text, pages: total }
}

const update = (to: Service, task: Task, version: string, body: object) =>
  to.fetch(
    new Request(`http://reference/v5/tasks/${task.id}/update-assignment`, {
      method: 'PUT',
      headers: {
        apikey: world.apiKey,
        'content-type': 'application/json',
        'if-match': version,
      },
      body: JSON.stringify(body),
    }),
  )

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

describe('language and time zone', () => {
  test.each([
    ['Europe/Berlin', '+02:00', '+01:00'],
    ['Pacific/Kiritimati', '+14:00', '+14:00'],
    ['Pacific/Pago_Pago', '-11:00', '-11:00'],
    ['Asia/Kathmandu', '+05:45', '+05:45'],
    ['Africa/Casablanca', '+01:00', '+01:00'],
    ['America/St_Johns', '-02:30', '-03:30'],
  ])(
    '%s writes summer %s and winter %s, of the same instants',
    async (timezone, summer, winter) => {
      const rows = await csv({ timezone })
      expect(rows.map(({ time }) => new Date(time).toISOString())).toEqual(
        events.map(({ time }) => `${time.slice(0, 23)}Z`),
      )
      for (const [month, offset] of [
        ['2024-07', summer],
        ['2025-01', winter],
      ] as const) {
        const there = rows.filter(({ time }) => time.startsWith(month))
        expect(new Set(there.map(({ time }) => time.slice(23)))).toEqual(new Set([offset]))
      }
    },
  )

  test('change at the minute that the zone does', async () => {
    const { offsetsOf } = await import('../../reference/export/zones.ts')
    const at = offsetsOf('Europe/Berlin')
    expect(at('2025-03-30T00:59:59.999000000Z')).toBe(60)
    expect(at('2025-03-30T01:00:00.000000000Z')).toBe(120)
  })

  test('a language changes words only', async () => {
    const text = await (await exported({ locale: 'de' })).text()
    expect(text).toMatch(/^Kennung,Zeitpunkt,/)
    expect(text).toContain(',Aufgabe,zugewiesen,task_platform,')
    const { data } = Papa.parse<string[]>(text, { skipEmptyLines: true })
    expect(data.slice(1).map(([id]) => id)).toEqual(idsOf(events))
  })
})

describe('the PDF', () => {
  test('holds every event chosen, by id and time', async () => {
    const query = { file_type: 'pdf', range_end: '2024-10-01T00:00:00Z', timezone: 'Asia/Tokyo' }
    const { text, pages } = await pdfText(await exported(query))
    const chosen = events.filter(({ time }) => time < '2024-10')
    expect(chosen.length).toBeGreaterThan(200)
    expect(text.match(/[0-9a-f]{8}-[0-9a-f-]{27}/g)).toEqual(idsOf(chosen))
    expect(text.match(/\+09:00/g)).toHaveLength(chosen.length)
    expect(text).toContain('Проверка документов завершена')
    expect(pages).toBe(Math.ceil(chosen.length / 69))
  })

  test('can wrap long cells, have other columns, and be empty', async () => {
    const wrapping = createService({
      world,
      open: {
        ...open,
        pdfLayout: (asked) => ({ ...open.pdfLayout(asked), long: 'wrap' as const, size: 8 }),
        columns: () => ['comment', 'id'],
      },
    })
    const query = { file_type: 'pdf', range_end: '2024-10-01T00:00:00Z' }
    const { text } = await pdfText(await exported(query, wrapping))
    expect(text.match(/[0-9a-f]{8}-[0-9a-f-]{27}/g)).toHaveLength(
      (await ids({ ...query, file_type: 'csv' })).length,
    )
    const none = await exported({ ...query, event_type: 'nothing' }, wrapping)
    expect((await pdfText(none)).pages).toBe(1)
  })

  test(`holds ${PDF_LIMIT} events, and one more is refused`, async () => {
    expect(PDF_LIMIT).toBe(5_000)
    const many = createService({ world: makeWorld(1) })
    const times = makeEvents(many.world).map(({ time }) => time)
    const upTo = (count: number) => ({ file_type: 'pdf', range_end: times[count - 1] as string })
    expect((await exported(upTo(5_001), many)).status).toBe(400)
    expect(await ids({ ...upTo(5_001), file_type: 'csv' }, many)).toHaveLength(5_001)
    const { text } = await pdfText(await exported(upTo(5_000), many))
    expect(new Set(text.match(/[0-9a-f]{8}-[0-9a-f-]{27}/g)).size).toBe(5_000)
  })

  test('has a limit that can be lowered, and pages that can be lost', async () => {
    const lowered = createService({
      world,
      pdfLimit: 100,
      stated: { ...stated, pages: ({ pages }) => pages.toSpliced(1, 1) },
    })
    const upTo = (n: number) => ({ file_type: 'pdf', range_end: events[n - 1]?.time as string })
    expect((await exported(upTo(101), lowered)).status).toBe(400)
    const { text } = await pdfText(await exported(upTo(100), lowered))
    expect(text.match(/[0-9a-f]{8}-[0-9a-f-]{27}/g)).toHaveLength(69)
  })
})

describe('the answer', () => {
  test('can be bent out of being the file', async () => {
    const bend = (bent: Partial<typeof stated>) =>
      exported({}, createService({ world, stated: { ...stated, ...bent } }))
    expect((await bend({ exportStatus: () => 206 })).status).toBe(206)
    expect((await bend({ exportStatus: () => 204 })).body).toBeNull()
    const empty = await bend({ file: ({ file }) => ({ ...file, content: null }) })
    expect([empty.status, await empty.text()]).toEqual([200, ''])
    const wrapped = await bend({
      file: async ({ file }) => ({
        type: 'application/json',
        content: JSON.stringify({ file: await new Response(file.content).text() }),
      }),
    })
    expect(wrapped.headers.get('content-type')).toBe('application/json')
    expect(((await wrapped.json()) as { file: string }).file).toMatch(/^id,time/)
  })

  test('can have any form the contract leaves open', async () => {
    const bent = createService({
      world,
      open: {
        ...open,
        delimiter: () => ';',
        byteOrderMark: () => true,
        lineEnding: () => '\n',
        endsLastLine: () => false,
        quotesAnyway: () => true,
        titleLines: () => ['Audit events'],
        columns: () => ['time', 'metadata'],
        columnTitle: ({ column }) => column.toUpperCase(),
        dateForm: ({ local }) => local.slice(0, 19).replace('T', ' '),
        disposition: () => undefined,
        exportContentType: () => undefined,
        rowOrder: ({ events }) => events.toReversed(),
      },
    })
    const answer = await exported({}, bent)
    expect([...answer.headers]).toEqual([])
    const lines = Buffer.from(await answer.arrayBuffer())
      .toString()
      .split('\n')
    expect(lines.slice(0, 2)).toEqual(['\uFEFFAudit events', '"TIME";"METADATA"'])
    expect(lines[2]).toMatch(/^"2025-12-\d\d \d\d:\d\d:\d\d";"\{""entity_id"":/)
    expect(lines).toHaveLength(1_202)
  })
})

describe('the trail', () => {
  const task = world.tasks.find(({ assignment }) => assignment === null) as Task
  const [actor, user] = idsOf(world.users) as [string, string]
  const assign = (comment: string) => ({
    update: {
      assigned_by_id: actor,
      assigned_to_id: user,
      assigned_to_type: 'USER',
      assignment_comment: comment,
    },
  })
  const off = { unassign: { assigned_by_id: actor, assignment_comment: 'off' } }
  const walk = async (through: Service) => {
    let version = task.updated_at
    for (const body of [assign('one'), assign('two'), off]) {
      version = ((await (await update(through, task, version, body)).json()) as Task).updated_at
    }
    await update(through, task, 'stale', assign('stale'))
  }
  const added = async (through: Service, key = 'task_id', id = task.id) => {
    const before = new Set(idsOf(events))
    const rows = await csv({ [`metadata[${key}]`]: id }, through)
    return rows.filter(({ id }) => !before.has(id))
  }

  test('has an event for each change, with its comment, and none for a refusal', async () => {
    const changed = createService({ world })
    await walk(changed)
    for (const [key, id] of [
      ['task_id', task.id],
      ['entity_id', task.entity_id],
    ] as const) {
      const rows = await added(changed, key, id)
      expect(rows.map(({ sub_type, comment }) => [sub_type, comment])).toEqual([
        ['assigned', 'one'],
        ['reassigned', 'two'],
        ['unassigned', 'off'],
      ])
      expect(new Set(rows.map((row) => row.auditee_id))).toEqual(new Set([actor]))
    }
    const times = (await added(changed)).map(({ time }) => time)
    expect(await added(changed)).toHaveLength(times.length)
    const instant = { range_start: times[0] as string, range_end: times[0] as string }
    expect((await ids(instant, changed)).length).toBeGreaterThan(0)
  })

  test('can lag, hold refusals and exports, and grow by itself', async () => {
    let now = Date.parse('2026-01-01T00:00:00Z')
    const bent = createService({
      world,
      clock: () => now,
      open: {
        ...open,
        eventDelay: () => 1_000,
        refusalLeaves: () => ['event'],
        recordsExports: () => true,
        trafficInterval: () => 600,
      },
    })
    await walk(bent)
    expect(await added(bent)).toEqual([])
    now += 1_000
    expect((await added(bent)).filter(({ comment }) => comment === 'stale')).toHaveLength(1)
    expect(await csv({ event_type: 'export' }, bent)).toHaveLength(2)
    expect(await csv({}, bent)).toHaveLength(1_200 + 4 + 3 + 1)
  })

  test('and forgets what a fault has it forget', async () => {
    const forgetful = createService({
      world,
      stated: {
        ...stated,
        recorded: ({ kind, event }) => (kind === 'unassigned' ? [] : [{ ...event, comment: '' }]),
      },
    })
    await walk(forgetful)
    expect((await added(forgetful)).map(({ comment }) => comment)).toEqual(['', ''])
  })
})
