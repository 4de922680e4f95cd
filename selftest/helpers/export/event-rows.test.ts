import { expect, test } from 'vitest'
import { eachEvent, eventRows, type Window } from '../../../helpers/export/learn/window.ts'

const header = ['id', 'type', 'time']
const rows = [1, 2, 3].map((n) => [`id ${n}`, 'created', `2026-03-0${n}T10:00:00Z`])
const last = ['sum', '3', 'events']
/** A window whose files have two lines before the events, with or without titles, and one behind. */
const window = (titles: string[] | undefined, before: number): Window =>
  ({
    shape: { width: 3, lean: false, sure: [] },
    frame: { before, behind: 1 },
    header: titles,
    escapes: undefined,
  }) as unknown as Window
const about = ['made', 'by', 'export']

test.each<[string, Window, string[][]]>([
  ['behind the titles', window(header, 1), [header, ...rows, last]],
  [
    'behind the titles, where one line less stands before',
    window(header, 2),
    [header, ...rows, last],
  ],
  ['where there are no titles', window(undefined, 1), [about, ...rows, last]],
  ['where titles are not shown this time', window(header, 1), [about, ...rows, last]],
])('the events of a file are found: %s', (_, of, records) => {
  expect([...eventRows(of, records)]).toEqual(rows)
  expect([...eventRows(of, records.slice(0, -1), true)]).toEqual(rows)
})

test('the events of a long file are passed on one by one, without other lines', () => {
  const heard: string[][] = []
  const each = eachEvent(window(header, 2), (row) => heard.push(row))
  for (const record of [about, header, ...rows, ['another width'], last]) each(record)
  expect(heard).toEqual(rows)
})
