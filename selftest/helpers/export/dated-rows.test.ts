import { expect, test } from 'vitest'
import { findDated, firstDated } from '../../../helpers/export/learn/dated-rows.ts'

const titles = [['range_start: 2025-09-01'], ['range_end: 2025-12-01']]
const english = [['11/19/26, 11:52 PM'], ['11/13/26, 8:10 AM']]

test('lines that name filters stand in front of what is dated', () => {
  const dated = findDated(english, titles)
  expect(firstDated(dated, [...titles, ...english], 0)).toBe(2)
})

test('dates with the day first are events too, though some could begin with the month', () => {
  const german = ['19.11.26, 23:39', '15.11.26, 10:11', '11.11.26, 02:52', '05.11.26, 21:16']
  const rows = german.map((date) => [date])
  expect(firstDated(findDated(english), rows, 0)).toBe(0)
  expect(firstDated(findDated(english, titles), [['language: de'], ...titles, ...rows], 0)).toBe(3)
})

test('ids are written alike in every language', () => {
  const id = 'e36735cb-ab95-4898-99bb-6fac49038236'
  const dated = findDated([[id]], [...titles, ['id']])
  expect(firstDated(dated, [['language: de'], ...titles, ['Kennung'], [id]], 0)).toBe(4)
})

test('a first event is not read as a title, though the word for its month is unknown', () => {
  const dated = findDated([['Mar 18, 2025 10:51 PM'], ['Nov 3, 2024 1:05 AM']], [['Date']])
  const german = [['Mär 18, 2025 10:51 PM'], ['Nov 3, 2024 1:05 AM']]
  expect(firstDated(dated, [['Zeitpunkt'], ...german], 0)).toBe(1)
  expect(firstDated(dated, [['Liste, Seite 1'], ...german.slice(1)], 0)).toBe(1)
})
