import { expect, test } from 'vitest'
import {
  dateIn,
  instantAt,
  instantOf,
  isoOf,
  offsetAt,
  readingsOf,
  unitOf,
} from '../../../engine/files/dates.ts'
import { wordsOf } from '../../long.ts'

// So long a text is not taken from what was read before.
const padded = (text: string) => text.padEnd(65)
const read = (...texts: string[]) =>
  readingsOf(texts.map(padded)).map(({ dates }) => dates.map((date) => isoOf(instantOf(date))))

test.each([
  ['2026-11-20T07:01:22.123006080Z', '2026-11-20T07:01:22.12300608Z'],
  ['2026-11-20T07:01:22,5+02:00', '2026-11-20T05:01:22.500Z'],
  ['2026-11-20 07:01:22', '2026-11-20T07:01:22.000Z'],
  ['2026-11-20 07:01:22 +0000 UTC', '2026-11-20T07:01:22.000Z'],
  ['2026-11-20T07:01-05:30', '2026-11-20T12:31:00.000Z'],
  ['20261120T070122Z', '2026-11-20T07:01:22.000Z'],
  ['2026-11-20T08:01:22+01:00[Europe/Berlin]', '2026-11-20T07:01:22.000Z'],
  ['1795158082', '2026-11-20T07:01:22.000Z'],
  ['1795158082.25', '2026-11-20T07:01:22.250Z'],
  ['1795158082123', '2026-11-20T07:01:22.123Z'],
  ['1795158082123456', '2026-11-20T07:01:22.123456Z'],
  ['1795158082123456789', '2026-11-20T07:01:22.123456789Z'],
  ['2026-11-20', '2026-11-20T00:00:00.000Z'],
  ['2026/11/20 07:01', '2026-11-20T07:01:00.000Z'],
  ['2026.  11. 20. 07:01', '2026-11-20T07:01:00.000Z'],
  ['20-Nov-2026 07:01', '2026-11-20T07:01:00.000Z'],
  ['Nov 20, 2026, 12:01:22 a.m.', '2026-11-20T00:01:22.000Z'],
  ['20 Nov 2026 at 07:01 GMT+14', '2026-11-19T17:01:00.000Z'],
  ['Fri, 20 Nov 2026 07:01:22 GMT', '2026-11-20T07:01:22.000Z'],
  ['Fri Nov 20 2026 07:01:22 GMT+0100 (Central European Time)', '2026-11-20T06:01:22.000Z'],
  ['11/20/2026, 7:01 AM', '2026-11-20T07:01:00.000Z'],
  ['20/11/26 07:01', '2026-11-20T07:01:00.000Z'],
  ['20.11.2026, 07:01 Uhr', '2026-11-20T07:01:00.000Z'],
  ['07:01:22 20/11/2026', '2026-11-20T07:01:22.000Z'],
  ['20 Nov 2026 - 7.01 pm (UTC)', '2026-11-20T19:01:00.000Z'],
  ['07h01 on Friday, 20th November 26 ', '2026-11-20T07:01:00.000Z'],
  ['2026 NOV 20 24:59:59', '2026-11-21T00:59:59.000Z'],
  ['Nov 20,2026', '2026-11-20T00:00:00.000Z'],
  ['November 20,2026 12:30 PM', '2026-11-20T12:30:00.000Z'],
  ['20261120T070122.5\u22120330', '2026-11-20T10:31:22.500Z'],
  // Their offset is not shown.
  ['2026-11-20 07:01:22 CEST', '2026-11-20T07:01:22.000Z'],
  ['2026-11-20 07:01:22 Pacific/Kiritimati', '2026-11-20T07:01:22.000Z'],
])('a date text %s is %s', (text, iso) => {
  expect(read(text)).toEqual([[iso]])
})

test('a date text has an offset, or has none', () => {
  const offset = (text: string) => dateIn(padded(text), 'ymd')?.offset
  expect(offset('2026-11-20T07:01Z')).toBe(0)
  expect(offset('2026-11-20 07:01 GMT-11')).toBe(-660)
  expect(offset('2026-11-20 07:01 CEST')).toBeUndefined()
  expect(offset('2026-11-20 07:01')).toBeUndefined()
})

test.each([
  '',
  '13:01 PM 2026-11-20',
  '0:01 PM 2026-11-20',
  '2026-13-20',
  '20-11/2026',
  ...wordsOf(`
    5 12:30 192.168.10.12 2026-02-30 2026-11-20T25:00Z 2026-11-20T07:60Z 2026-11-20T07:01:60Z
    x1795158082 1795158082x 1795158082123.5 3795158082 46346.25 9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d
  `),
  'Freitag, 20. November 2026 um 07:01',
])('a date text is not what %j is', (text) => {
  expect(read(text)).toEqual([])
})

test('a column of dates has one order, decided by all its texts', () => {
  expect(read('11/10/2026', '11/20/2026')[0]?.[0]).toBe('2026-11-10T00:00:00.000Z')
  expect(read('11/10/2026', '20/11/2026')[0]?.[0]).toBe('2026-10-11T00:00:00.000Z')
  expect(read('11/20/2026', '20/11/2026')).toEqual([])
})

test('a column of dates has two readings if no text separates day and month', () => {
  expect(read('11/10/2026', '09/10/2026')).toHaveLength(2)
  expect(read('10/10/2026')).toHaveLength(1)
})

test('a column of dates has no unit finer than its times', () => {
  const unit = (...isos: string[]) => unitOf(isos.map(instantAt))
  expect(unit('2026-11-20T07:01:22.120Z', '2026-11-20T07:01:22.100Z')).toBe(10_000_000n)
  expect(unit('2026-11-20T07:01:00Z', '2026-11-20T08:00:00Z')).toBe(60_000_000_000n)
  expect(unit('2026-11-20T07:01:22.123456789Z')).toBe(1n)
  // Ticks of 1/300 s.
  expect(unit('2026-11-20T07:01:22.120Z', '2026-11-20T07:01:22.127Z')).toBe(10_000_000n)
  expect(unit('2026-11-20T07:01:22.123Z', '2026-11-20T07:01:22.124Z')).toBe(1_000_000n)
})

test.each([
  ['America/New_York', '2026-01-01T00:00:00Z', -300],
  ['America/New_York', '2026-07-01T00:00:00Z', -240],
  ['Asia/Kolkata', '2026-07-01T00:00:00Z', 330],
])('%s at %s is %i minutes from UTC', (zone, iso, minutes) => {
  expect(offsetAt(zone, instantAt(iso))).toBe(BigInt(minutes) * 60_000_000_000n)
})
