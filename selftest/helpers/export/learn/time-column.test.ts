import { expect, test } from 'vitest'
import { instantAt, isoOf, minute, second } from '../../../../engine/files/dates.ts'
import { countStrays, learnTimes } from '../../../../helpers/export/learn/time-column.ts'
import { events, smallTrail, titles, wantedBy } from '../small-trail.ts'

/** The learned times if a file changes its first two columns. */
async function timesWhere(show: (time: string) => [string, string], first: [string, string]) {
  const header = [...first, ...titles.slice(2)]
  const { exports, window } = smallTrail((query) => ({
    titles: header,
    rows: wantedBy(query).map(([, time = '', ...rest]) => [...show(time), ...rest]),
  }))
  const { columns } = await learnTimes(exports, { ...window, header })
  return columns.map(({ places, unit, inUtc }) => ({ places, unit, inUtc }))
}

test.each<[string, [string, string], number[], (time: string) => [string, string]]>([
  ['before', ['time', 'date'], [1, 0], (time) => [time.slice(11, 19), time.slice(0, 10)]],
  ['behind', ['date', 'time'], [0, 1], (time) => [time.slice(0, 10), time.slice(11, 19)]],
])(
  'a date with the time of day in the column %s it is one time',
  async (_, first, places, show) => {
    expect(await timesWhere(show, first)).toEqual([{ places, unit: second, inUtc: true }])
  },
)

const wallOf = (time: string, hours: number) =>
  isoOf(instantAt(time) + BigInt(hours) * 60n * minute).replace(/T(.*)\..*/, ' $1')

test.each([
  ['that lie where ranges do are in UTC', 0, true],
  ['that lie two hours later are not', 2, false],
])('times without an offset %s', async (_, hours, inUtc) => {
  const found = await timesWhere((time) => ['event', wallOf(time, hours)], ['kind', 'time'])
  expect(found).toEqual([{ places: [1], unit: second, inUtc }])
})

test('a time lies outside of a range where it does by more than a rounding', async () => {
  const [column] = (await smallTrail().ranges.times()).columns
  const row = events[20] ?? []
  const at = instantAt(row[1] ?? '')
  const count = (range: { start?: bigint; end?: bigint }) => {
    const [start, end] = [range.start, range.end].map((bound) => bound && isoOf(bound))
    return countStrays(column, [row], { start, end } as never)
  }
  expect(count({ start: at + column.unit })).toBe(0)
  expect(count({ start: at + column.unit + 1n })).toBe(1)
  expect(count({ end: at - column.unit })).toBe(0)
  expect(count({ end: at - column.unit - 1n })).toBe(1)
  expect(count({})).toBe(0)
})
