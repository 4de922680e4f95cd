import { describe, expect, test } from 'vitest'
import { rule } from '../../../engine/clause/law.ts'
import type { Order } from '../../../engine/files/dates.ts'
import { linesAround, shapeOf } from '../../../engine/files/line-frame.ts'
import { formOf } from '../../../helpers/export/laws/file-facts.ts'
import { needSameCount } from '../../../helpers/export/laws/pdf-entries.ts'
import { countEvents } from '../../../helpers/export/learn/around-limit.ts'
import { codeOf, isPlain, nameMatch, valuesIn } from '../../../helpers/export/learn/columns.ts'
import { gathered } from '../../../helpers/export/learn/confirmed.ts'
import { readCsvText } from '../../files/read-csv-text.ts'

const id = '9fd379d2-0179-495f-a968-ba415a3c14c3'

describe('the values that a cell shows', () => {
  // biome-ignore format: several on a line
  test.each([
    `{"task_id":"${id}","tag":"vip"}`, `{"metadata":{"taskId":"${id}"}}`,
    `{"task_id":["${id}"]}`, `[{"key":"task_id","value":"${id}"}]`, `task_id=${id}; tag=vip`,
    `tag=vip,task_id=${id}`, `Task ID: ${id}`, `tag: vip | task-id: "${id}"`,
    `taskId=${id}\ntag=vip`, `"task_id"=>"${id}", "tag"=>"vip"`, `{task_id=${id}, tag=}`,
    `{'tag': 'vip', 'task_id': '${id}'}`, `{:task_id=>"${id}"}`,
  ])('inside %j', (cell) => {
    expect(valuesIn(cell, 'task_id', 'inside')).toEqual([id])
  })

  test('are found inside pairs, even with spaces and of one name', () => {
    const cell = 'workflow_step=Document collection, tag=vip, tag: high risk'
    expect(valuesIn(cell, 'workflow_step', 'inside')).toEqual(['Document collection'])
    expect(valuesIn(cell, 'tag', 'inside')).toEqual(['vip', 'high risk'])
  })

  // biome-ignore format: several on a line
  test.each([
    'tag=\\N; task_id=1', 'tag: null, Workflow Step: review', '{"tag":"n/a"}', '"tag"=>"-"',
    'tag=vip&task_id=1', 'tag=Ausweis, neu', 'tag=a=b', 'tag=vip task_id=1', 'tag="a\'; task_id=1',
    'tag=intake, task 7', 'tag=vip, {task_id=3}', 'tagged by Jane',
  ])('none inside %j, where a value may end elsewhere', (cell) => {
    expect(valuesIn(cell, 'tag', 'inside')).toEqual([])
  })

  test('of a label that names several things', () => {
    const found = valuesIn('Task / Created', 'event_type', 'label')
    expect(found).toEqual(['task_created', 'task', 'created'])
    expect(valuesIn('Re-assigned', 'sub_type', 'label')).toEqual(['re_assigned'])
  })

  test('nothing inside a cell that names another key', () => {
    expect(valuesIn('{"subtask_id":"1"}', 'task_id', 'inside')).toEqual([])
    expect(valuesIn('{"task_id":', 'task_id', 'inside')).toEqual([])
    expect(valuesIn(`task ${id}`, 'task_id', 'inside')).toEqual([])
  })

  test('plain: a comma may part values or belong to one', () => {
    expect(valuesIn('vip', 'tag', 'plain')).toEqual(['vip'])
    expect(valuesIn('watchlist, EU', 'tag', 'plain')).toEqual(['watchlist, EU', 'watchlist', 'EU'])
    expect(valuesIn('["vip","pep"]', 'tag', 'plain')).toEqual(['["vip","pep"]', 'vip', 'pep'])
  })

  test.each(['', '-', '–', '\\N', '#N/A', 'n/a', 'None', '(not set)', 'null'])(
    'none in %j',
    (cell) => {
      expect(valuesIn(cell, 'tag', 'plain')).toEqual([])
    },
  )

  // With quadratic time the test would time out.
  test('nothing inside a hostile cell of half a megabyte', { timeout: 60_000 }, () => {
    const cell = `task_id${' a:'.repeat(200_000)}`
    expect(valuesIn(cell, 'task_id', 'inside')).toEqual([])
  })
})

test('labels and their likely codes, and names of columns', () => {
  const labels = ['Task Platform', 'assessmentService', 'Re-assigned']
  expect(labels.map(codeOf)).toEqual(['task_platform', 'assessment_service', 're_assigned'])
  for (const [name, field, match] of [
    ['Event Type', 'event_type', 'so'],
    ['metadata[task_id]', 'task_id', 'so'],
    ['taskId', 'task_id', 'so'],
    ['Source', 'system_source', 'alike'],
    ['Metadata', 'task_id', undefined],
  ] as const)
    expect(nameMatch(name, field)).toBe(match)
})

test('cells that cannot be requested as they are', () => {
  expect(['vip', "'=1", '-1', 'a,b', 'cut…'].filter(isPlain)).toEqual(['vip'])
})

test.each<[string, Order, string[]]>([
  ['{YYYY}-{MM}-{DD}T{HH}:{mm}:{ss}.{SSS}{Z}', 'ymd', ['2026-03-15T17:08:09.120Z']],
  ['{YYYY}-{MM}-{DD} {HH}:{mm}:{ss}.{SSSSSS}', 'ymd', ['2026-03-15 17:08:09.123456']],
  ['{DD}/{MM}/{YYYY} {HH}:{mm}', 'dmy', ['15/03/2026 17:08', '04/05/2026 06:07']],
  ['{MM}/{DD}/{YYYY} {HH}:{mm}', 'mdy', ['03/15/2026 17:08', '05/04/2026 06:07']],
  ['{DD}/{MM}/{YYYY} {HH}:{mm}', 'dmy', ['04/05/2026 06:07']],
  ['{MM}/{DD}/{YYYY} {HH}:{mm}', 'mdy', ['05/05/2026 06:07']],
  ['{DD}/{MM}/{YYYY} {HH}:{mm}', 'dmy', ['05/05/2026 06:07']],
  ['{D} {MMM} {YYYY}, {h}:{mm} {a}', 'dmy', ['5 Mar 2026, 7:08 pm', '15 Apr 2026, 11:08 am']],
  ['{dddd}, {DD} {MMMM} {YYYY} {HH}:{mm}', 'dmy', ['Sunday, 15 March 2026 17:08']],
  ['{YYYY}-{MM}-{DD} {HH}:{mm} {+HH:MM}', 'ymd', ['2026-03-15 17:08 +02:00']],
  ['{YYYY}-{MM}-{DD} {HH}:{mm} {zone}', 'ymd', ['2026-03-15 17:08 UTC']],
  ['{ms}', 'epoch', ['1773594489120']],
])('%s (%s): %s', (form, order, texts) => {
  expect(formOf(texts, order)).toBe(form)
})

test('dates that have no form in common have none', () => {
  expect(formOf(['2026-03-15 17:08', '15 March 2026 17:08'], 'ymd')).toBeUndefined()
  expect(formOf(['no date'], 'ymd')).toBeUndefined()
})

const idOf = (n: number) => `${String(n).padStart(8, '0')}-0000-4000-8000-000000000000`
const header = ['id', 'time', 'by', 'type']
const event = (n: number) => [
  idOf(n),
  `2026-03-01T10:00:${String(n % 60).padStart(2, '0')}Z`,
  idOf(n + 1000),
  'a',
]
const rows = Array.from({ length: 60 }, (_, n) => event(n))
const windowOf = (its = rows) =>
  ({
    start: '2026-03-01T10:00:00Z',
    end: '2026-03-01T11:00:00Z',
    rows: its,
    header,
    shape: shapeOf([header, ...its]),
    asWide: 1,
    lines: linesAround([header, ...its], its),
  }) as never

/** Neither an event, nor a line that differs from events in two columns. */
const strange = [1, 2, 3, 4].map((n) => ['part of it', `2026-03-0${n}T10:00:00Z`, idOf(n), 'b'])

/** Files with this many records, the strange ones first; a shorter range holds others. */
const exportsOf = (recordsIn: (range: { start: string; end: string }) => string[][]) => {
  const exports = {
    once: (_: string, find: (exports: unknown) => unknown) => find(exports),
    text: JSON.stringify,
    csv: async (range: never, options: never) => {
      const text = [header.join(), ...recordsIn(range)].join('\n')
      const answer = { status: 200, method: 'GET', path: '/export' }
      return { answer, csv: await readCsvText(text, Object.assign({ keep: 1000 }, options)) }
    },
  }
  return Object.assign(exports, { fresh: exports }) as never
}

test('a record that is neither an event nor a known line makes the count uncertain', async () => {
  const exports = exportsOf(() => [...strange, ...rows])
  await expect(countEvents(exports, windowOf(), {})).rejects.toThrow(
    /^a record is "part of it,2026-03-01T10:00:00Z,00000001-.*; the contract does not say what a record represents$/,
  )
})

test('parts of a range that hold more events than the whole make a count uncertain too', async () => {
  const isWhole = ({ start, end }: { start: string; end: string }) =>
    Date.parse(end) - Date.parse(start) > 1500
  const exports = exportsOf((range) => (isWhole(range) ? rows : [...rows, event(60)]))
  const stretch = { start: '2026-03-01T10:00:00.000Z', end: '2026-03-01T10:00:02.000Z', count: 60 }
  await expect(needSameCount(exports, windowOf(), stretch)).rejects.toThrow(
    /^its parts contain 244 events, but the whole 60; /,
  )
})

type Asked = { problems: never[] }
const ruled = async (...asked: Parameters<typeof gathered<Asked>>) =>
  (await rule([await gathered(...asked)], { law: ({ problems }: Asked) => problems })).problems

test('a file of more records than are kept is not compared', async () => {
  const found = { answer: { status: 200 }, csv: { records: [['1']], count: 20_001 } }
  const exports = { csv: async () => found } as never
  const judging = ruled(exports, {} as never, async (fetch) => {
    await fetch({})
    return { problems: [] }
  })
  await expect(judging).rejects.toThrow(
    'set EXPORT_FROM and EXPORT_TO to a shorter window: 20001 records are too many to compare',
  )
})
