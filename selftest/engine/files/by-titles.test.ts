import { expect, test } from 'vitest'
import { columnsIn, createByTitles } from '../../../engine/files/by-titles.ts'

const titles = ['id', 'time', 'type', 'tag']
const event = ['7', '2026-01-01', 'created', 'vip']

test('cells stand in the order of the titles, whatever columns a file leaves out', () => {
  const records = [['made by export'], ['time', 'type', 'id'], ['2026-01-01', 'created', '7']]
  expect(records.map(createByTitles(titles))).toEqual([
    ['made by export'],
    titles,
    ['7', '2026-01-01', 'created', ''],
  ])
})

test.each<[string, string[][]]>([
  ['the same titles', [titles, event]],
  ['titles of which one is another', [['time', 'id', 'type', 'label', 'tag'], event]],
  ['titles in another language', [['Nr', 'Zeit', 'Art'], event.slice(0, 3)]],
  ['an event that shows a word of the titles', [['7', '2026-01-01', 'type', 'tag'], event]],
])('all records stay as they are: %s', (_, records) => {
  expect(records.map(createByTitles(titles))).toEqual(records)
})

test('nothing is changed where the titles are not known, or two are the same', () => {
  const records = [['type', 'id', 'time'], event]
  expect(records.map(createByTitles(undefined))).toEqual(records)
  expect(records.map(createByTitles(['id', 'id', 'time', 'type']))).toEqual(records)
})

test('the columns of a file are those that it names, and all where it names none', () => {
  const columnsOf = (...records: string[][]) => columnsIn(titles, { columns: [0, 1, 3], records })
  expect(columnsOf(['made by export'], ['time', 'type', 'id'], event)).toEqual([0, 1])
  expect(columnsOf(titles, event)).toEqual([0, 1, 3])
  expect(columnsOf(['Nr', 'Zeit', 'Art'], event)).toEqual([0, 1, 3])
  expect(columnsIn(undefined, { columns: [0], records: [event] })).toEqual([0])
})
