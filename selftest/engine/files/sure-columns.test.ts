import { describe, expect, test } from 'vitest'
import { isLine, shapeOf, tableIn, titlesBefore } from '../../../engine/files/line-frame.ts'
import { sureColumnsOf } from '../../../engine/files/sure-columns.ts'

const id = (n: number) => `${String(n).padStart(8, '0')}-1234-4567-89ab-000000000000`
const titles = ['id', 'time', 'type', 'action', 'task', 'step']
/** Every third event has a task, and with it a step. */
const events = Array.from({ length: 90 }, (_, n) => [
  id(n),
  `2026-11-${String((n % 28) + 1).padStart(2, '0')} 10:00`,
  'task',
  'created',
  ...(n % 3 === 0 ? [] : [id(n % 7), 'review']),
]).map((row) => [...row, ...Array(titles.length - row.length).fill('')])
const heading = ['2026-11-02', '', '', '', '', '']
const sum = ['Sum', '12', '', '', '', '']
const noFrame = { before: 0, behind: 0 }

describe('what every event shows', () => {
  test('is what is filled in together, and not what some events have', () => {
    expect(sureColumnsOf([titles, ...events])).toEqual([
      { column: 2, kind: 'text' },
      { column: 3, kind: 'text' },
      { column: 0, kind: 'id' },
      { column: 1, kind: 'number' },
    ])
  })

  test('is not known of a file with one column that all fill in', () => {
    const rows = events.map(([, time = ''], n) => [
      time,
      n % 3 === 0 ? '' : 'x',
      n % 3 ? id(n) : '',
    ])
    expect(sureColumnsOf(rows)).toEqual([])
  })

  test('leaves no event out that lacks what others have', () => {
    const records = [titles, ...events]
    expect(tableIn(shapeOf(records), records)).toEqual(events)
  })
})

describe('lines of another kind', () => {
  test.each([
    ['headings', (row: string[], n: number) => (n % 10 === 0 ? [heading, row] : [row])],
    ['sums', (row: string[], n: number) => (n % 4 === 3 ? [row, sum] : [row])],
    [
      'the titles again',
      (row: string[], n: number) => (n > 0 && n % 25 === 0 ? [titles, row] : [row]),
    ],
    [
      'headings and sums',
      (row: string[], n: number) => (n % 6 === 0 ? [heading, row, sum] : [row]),
    ],
  ])('%s are not taken for events', (_, lines) => {
    const records = [titles, ...events.flatMap(lines)]
    const shape = shapeOf(records)
    const table = tableIn(shape, records)
    expect(table.filter((row) => row !== titles)).toEqual(events)
    // Where a sum has a number under the time, titles differ from events in one column alone.
    const frame = { before: Number(table[0] === titles), behind: 0 }
    expect(titlesBefore(shape, frame, records)).toBe(titles)
  })

  test('are told in a language that was not seen', () => {
    const shape = shapeOf([titles, ...events])
    const german = ['Kennung', 'Zeit', 'Art', 'Vorgang', 'Aufgabe', 'Schritt']
    expect(isLine(shape, german)).toBe(true)
    expect(isLine(shape, [id(1), '3. November 2026', 'Aufgabe', 'angelegt', '', ''])).toBe(false)
    // One departure is no other kind: what an event has not is not shown.
    expect(isLine(shape, [id(1), '3. November 2026', 'Aufgabe', '', '', ''])).toBe(false)
  })

  test('may be titles without the delimiter that ends each row', () => {
    const rows = events.map((row) => [...row, ''])
    const records = [titles, ...rows]
    expect(titlesBefore(shapeOf(records), noFrame, records)).toBe(titles)
  })
})
