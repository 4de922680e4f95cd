import { expect, test } from 'vitest'
import { learnFrame } from '../../../engine/files/line-frame.ts'
import { datesIn } from '../../../helpers/export/learn/dated-rows.ts'

const header = ['time', 'what']
const event = (second: number): string[] => [
  `2025-11-03T10:${String(second).padStart(2, '0')}:00.000Z`,
  'a task was viewed',
]
const events = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, at) => event(from + at))

/** The halves of a stretch of sixty events, and the whole of it. */
const halves = [
  [header, ...events(0, 29)],
  [header, ...events(30, 59)],
]
const whole = [header, ...events(0, 59)]

test('a header that every file has is one record before the events', () => {
  expect(learnFrame([header], halves, whole)).toEqual({ before: 1, behind: 0 })
  expect(learnFrame([header], halves, whole, { findDates: datesIn })).toEqual({
    before: 1,
    behind: 0,
  })
})

test('an event that came while the files were asked for makes no line behind the events', () => {
  const first = [header, ...events(0, 28), ['2025-11-03T10:29:30.000Z', 'a task was assigned']]
  const later = [first.concat([event(29)]), halves[1] ?? []]
  const frame = learnFrame([header], later, whole, { findDates: datesIn })
  expect(frame).toEqual({ before: 1, behind: 0 })
})

test('a last line that counts the events is behind them', () => {
  const counted = (records: string[][]) => [...records, ['events', String(records.length - 1)]]
  const frame = learnFrame(counted([header]), halves.map(counted), counted(whole), {
    findDates: datesIn,
  })
  expect(frame).toEqual({ before: 1, behind: 1 })
})

test('without dates the records that are alike in all files tell', () => {
  const named = (records: string[][]) => records.map(([, what = ''], at) => [`${what} ${at}`, 'x'])
  const title = ['Events', 'of an account']
  const files = [...halves, whole].map((records) => [title, ...named(records.slice(1))])
  const [one = [], other = [], all = []] = files
  const frame = learnFrame([title], [one, other], all, { findDates: datesIn })
  expect(frame).toEqual({ before: 1, behind: 0 })
})
