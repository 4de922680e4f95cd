import { setImmediate } from 'node:timers/promises'
import Papa from 'papaparse'
import { describe, expect, test } from 'vitest'
import { makeEvents } from '../../reference/calls/events.ts'
import { inTurns } from '../../reference/export/in-turns.ts'
import { open } from '../../reference/rules/open.ts'
import { stated } from '../../reference/rules/stated.ts'
import { createService } from '../../reference/service.ts'
import { PDF_LIMIT } from '../../reference/world/limits.ts'
import { makeWorld } from '../../reference/world/world.ts'
import { csv, events, exported, ids, idsOf, pdfText, smallWorld as world } from './exported.ts'

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
  test('leaves room for others while a CSV is written', async () => {
    const file = exported().then((answer) => answer.text())
    expect(await turnsUntil(file)).toBeGreaterThanOrEqual(events.length / 200 - 1)
  })

  test('leaves room for others before the first page of a PDF', async () => {
    expect(await turnsUntil(inTurns(events, ({ id }) => id))).toBe(events.length / 200 - 1)
    expect(await inTurns(events, ({ id }) => id)).toEqual(idsOf(events))
  })

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

/** How often others had their turn until this was done. */
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
