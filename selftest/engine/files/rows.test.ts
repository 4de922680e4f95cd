import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as lines from '../../../engine/files/line-frame.ts'
import * as sets from '../../../engine/files/multiset.ts'
import { instantsIn } from '../../../engine/files/shown-instants.ts'
import { departures, isTitles, sureColumnsOf } from '../../../engine/files/sure-columns.ts'
import { createKeepRow } from '../../../engine/files/text-pool.ts'

const cell = fc.constantFrom('', 'a', 'b', 'ab', 'a, long cell that differs in one letter', '1')
const table = fc.array(fc.tuple(cell, cell), { maxLength: 12 })
const { multisetOf, sizeOf } = sets
const rowsOf = (text: string) => text.split('|').map((row) => row.split(' '))

test('rows are counted, kept and compared with as often as each occurs', () => {
  fc.assert(
    fc.property(table, table, (one, other) => {
      const [a, b] = [multisetOf(one, [0, 1]), multisetOf(other, [0, 1])]
      const [rest, both] = [sets.minus(a, b), sets.intersection(a, b)]
      for (const [key, count] of a) expect((rest.get(key) ?? 0) + (both.get(key) ?? 0)).toBe(count)
      expect([...rest.values(), ...both.values()].every((count) => count > 0)).toBe(true)
      expect([sizeOf(a), sizeOf(b)]).toEqual([one.length, other.length])
      expect(sizeOf(sets.minus(b, a)) + sizeOf(both)).toBe(other.length)
      const sorted = [one, other].map((rows) => rows.map((row) => JSON.stringify(row)).sort())
      expect(sets.isEqual(a, b)).toBe(String(sorted[0]) === String(sorted[1]))

      const keep = createKeepRow()
      const kept = new Map(one.map((row) => [JSON.stringify(row), keep(row)]))
      for (const row of one) {
        expect(keep([...row])).toBe(kept.get(JSON.stringify(row)))
        expect(keep(row)).toEqual(row)
      }
    }),
    { numRuns: 30 },
  )
})

test('rows that hardly differ are kept apart, and a full pool keeps what it has', () => {
  const keep = createKeepRow()
  const alike = Array.from({ length: 16 }, (_, at) => [`${'x'.repeat(at)}y${'x'.repeat(15 - at)}`])
  const kept = alike.map(keep)
  expect(kept).toEqual(alike)
  expect(alike.slice(-2).map((row) => keep([...row]))).toEqual(alike.slice(-2))
  const small = createKeepRow(81)
  expect([small(['a']), small(['b'])]).toEqual([['a'], undefined])
  const full = createKeepRow(82)
  const [first] = [full(['a']), full(['b']), full(['c'])]
  expect([full(['a']), full(['b']), full(['c'])]).toEqual([['a'], ['b'], undefined])
  expect(full(['a'])).toBe(first)
})

test('a row for a reader is short and has no empty cells', () => {
  expect(sets.rowText(['a', '', 'b'])).toBe('a | b')
  expect(sets.rowText(['x'.repeat(300)])).toHaveLength(300)
  expect(sets.rowText(['x'.repeat(301)])).toBe(`${'x'.repeat(300)} …`)
  expect(sets.firstRowIn(multisetOf([['a', 'b', 'c']], [0, 2, 3]))).toBe('a | c')
  expect(sets.firstRowIn(new Map())).toBe('')
})

const rows = Array.from({ length: 6 }, (_, n) => [`id ${n}`, `${n % 3}`, `${n + 1}`, 'x'])
const numbered = (some: string[][], from = 1, step = 1) =>
  some.map((row, at) => row.with(2, `${from + step * at}`))

test('columns are stable if two answers agree in them, in any order', () => {
  const { stableColumns } = sets
  expect(stableColumns(rows, rows.toReversed())).toEqual([0, 1, 2, 3])
  expect(stableColumns(rows, numbered(rows.toReversed()))).toEqual([0, 1, 3])
  // Some came or went.
  expect(stableColumns(rows.slice(1), numbered(rows.slice(0, 5), 10))).toEqual([0, 1, 3])
  const [a = [], b = []] = rowsOf('a p|b q')
  expect(stableColumns([a, a, b, b], [b, ['b', 'x'], a, a])).toEqual([0])
  expect(stableColumns([], [['a', 'b']])).toEqual([])
})

test('columns are shared by rows that alone show the same value', () => {
  const pairs = sets.sharedBy(1, rows.slice(0, 4), [['other', '1'], rows[5] ?? [], rows[0] ?? []])
  expect(pairs).toEqual([
    [rows[1], ['other', '1']],
    [rows[2], rows[5]],
  ])
})

test('columns last if a part of a file shows the same, so not as a number or a total', () => {
  const lasting = (all: string[][], part: string[][]) =>
    sets.lastingColumns(all, part, [0, 1, 2, 3])
  for (const step of [1, -1])
    expect(lasting(numbered(rows, 9, step), rows.slice(2))).toEqual([0, 1, 3])
  const odd = numbered(rows, 1, 2)
  expect(lasting(odd, odd.slice(2))).toEqual([0, 1, 2, 3])
  const renewed = rows.map((row) => row.with(3, 'new'))
  expect(lasting(rows, renewed.slice(2))).toEqual([0, 1])
})

test('columns differ between events, besides those that are known', () => {
  expect(sets.otherColumns(rows, [0])).toEqual([1])
  expect(sets.otherColumns(rows.slice(0, 2), [0])).toEqual([1, 2])
  expect(sets.otherColumns(numbered(rows, 1, 2), [0])).toEqual([1, 2])
})

const idOf = (n: number) => `${String(n).padStart(8, '0')}-0000-4000-8000-000000000000`
const header = ['id', 'time', 'by', 'type', 'note']
const events = Array.from({ length: 42 }, (_, n) => [
  ...[idOf(n), `at ${n}`, 'ada', 'a type'],
  n % 2 ? '' : 'a note',
])

// biome-ignore format: one file a line
test.each<[string, string[][], number | undefined, string[] | undefined]>([
  ['title lines too', [['Report'], ['of', 'ada'], header, ...events, ['Total', '42']], 5, header],
  ['none', events, 5, undefined],
  ['as wide title lines', [['Report', '', '', '', ''], ['A', 'A', 'A', '', ''], ...events], 5, undefined],
  ['rows of many widths', events.map((row, at) => (at % 2 ? row : [...row, 'x'])), undefined, undefined],
])('records that are not events are known by %s', (_, records, width, titles) => {
  const shape = lines.shapeOf(records)
  const sure = ['id', 'number'].map((kind, column) => ({ column, kind }))
  expect(shape).toMatchObject({ width, lean: false })
  expect(shape.sure).toEqual(expect.arrayContaining(sure))
  for (const _ of ['first', 'again'])
    expect(lines.tableIn(shape, records)).toHaveLength(events.length)
  expect(lines.titlesBefore(shape, records)).toEqual(titles)
  const isSurely = records.filter((record) => lines.isSurelyEvent(shape, record))
  expect(isSurely).toHaveLength(events.length)
  expect(lines.linesAround(records, isSurely)).toEqual({
    before: records.indexOf(isSurely[0] ?? []),
    behind: records.length - 1 - records.indexOf(isSurely.at(-1) ?? []),
  })
})

test('records that are not events depart from what every event shows', () => {
  const shape = lines.shapeOf([header, ...events])
  const [event = []] = events
  const records = [event, event.with(1, 'never'), event.with(0, 'x').with(1, 'never'), ['x', '1']]
  const is = (record: string[]) => [
    lines.isSurelyEvent(shape, record),
    lines.isLine(shape, record),
    lines.tableIn(shape, [record]).length > 0,
  ]
  const [whole, line] = ['true,false,true', 'false,true,false']
  expect(records.map(is).map(String)).toEqual([whole, 'false,false,true', line, line])
})

test('records that are not events fill one cell alone, unless many records do or there are few columns', () => {
  const lone = ['', 'x', '', '', '']
  const leanOf = (some: string[][]) => lines.shapeOf([...events, ...some]).lean
  expect([20, 21].map((times) => leanOf(Array(times).fill(lone)))).toEqual([false, true])
  expect(lines.shapeOf(rowsOf('a b c|d e f')).lean).toBe(true)
  const tableOf = (lean: boolean, width?: number) =>
    lines.tableIn({ width, lean, sure: [], known: new Set() }, [
      lone,
      ['a', 'b'],
      ['c', 'd', '', '', ''],
    ]).length
  expect([tableOf(true, 5), tableOf(false, 5), tableOf(false)]).toEqual([2, 1, 2])
})

test('records that are not events are titles where they are different names, before the first row', () => {
  const sure = [1, 3].map((column) => ({ column, kind: 'number' as const }))
  const titlesIn = (text: string, width = 4) =>
    lines.titlesBefore({ width, lean: true, sure, known: new Set() }, rowsOf(text))?.join(' ')
  expect(titlesIn('old k m n|id n by at|a 1 x 2|no n by at')).toBe('id n by at')
  expect(titlesIn('id n by|a 1 x 2')).toBe('id n by')
  for (const other of ['id n', 'id n by at to', 'id id by at'])
    expect(titlesIn(`${other}|a 1 x 2`)).toBeUndefined()
  expect(titlesIn('id|a 1 x 2', 4)).toBeUndefined()
  const some = `id at by|a a b|a  b|a |a   b|a ${idOf(1)} b|a b c d e f g h i j  `
  const are = rowsOf(`${some}|a b c d e f g h i   `).map(isTitles)
  expect(are).toEqual([true, false, true, false, false, false, true, false])
})

// biome-ignore format: one file a line
test.each([
  [`${idOf(1)} 1 ${idOf(1)}x|${idOf(2)} 2 ${idOf(2)}`, '0 id,1 number,2 number'],
  ['a 1|b 2|c |d ', ''],
  ['a 1 x|b 2 x|c  x', '0 text,2 text'],
  ['Report  |a b c|d e f|g h i', ''],
  ['id n by|a 1 x|b n y|c 2 z|d 3 z', '0 text,2 text'],
  ['a 1 x|b 2 y|id n by', '0 text,2 text'],
])('records that are not events lack what is sure of %j: %s', (text, sure) => {
  const columns = sureColumnsOf(rowsOf(text))
  expect(columns.map(({ column, kind }) => `${column} ${kind}`).join()).toBe(sure)
  expect(departures(columns, [])).toBe(columns.length)
})

test('records that are not events stand around the first and last that show the ids and numbers of every event', () => {
  const rows = rowsOf('a a1 x|b b1 y|c c1 x|d d1 x|e e1 x')
  const shape = lines.shapeOf([...rowsOf('id by at'), ...rows])
  expect(lines.tellsEvents(shape)).toBe(true)
  expect(lines.tableIn(shape, rowsOf('id by at|a a1 x|e e x|f f1 x|in all x'))).toEqual(
    rowsOf('a a1 x|e e x|f f1 x'),
  )
  expect(lines.tableIn(shape, rowsOf('id by at|Total no more'))).toEqual([])
  const words = lines.shapeOf(rowsOf('id by at|a b x|c d x'))
  expect(lines.tellsEvents(words)).toBe(false)
})

// biome-ignore format: one text a line
test.each<[string, string[]]>([
  ['From 2026-03-14 on: paid 2026-03-15 17:08:09 and 2026-03-16 17:09', ['15T17:08:09', '16T17:09:00']],
  ['2026-03-15 17:08 +01:00|2026-03-15 17:08 +01:00', ['15T16:08:00', '15T16:08:00']],
  ['2026-03-15 17:08 -1;2026-03-15 17:08;2026-03-15 17:09', ['15T17:08:00', '15T17:08:00', '15T17:09:00']],
])('times in %j are found', (text, wanted) => {
  const found = instantsIn([text], 'ymd')
  expect(found.map((instant) => new Date(Number(instant / 1_000_000n)).toISOString())).toEqual(
    wanted.map((each) => `2026-03-${each}.000Z`),
  )
})
