import { expect, test } from 'vitest'
import { createByTitles } from '../../../engine/files/by-titles.ts'

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
