import { describe, expect, test } from 'vitest'
import { countEntries } from '../../../engine/files/entries.ts'
import { learnIdentity } from '../../../engine/files/identity.ts'

const count = 200
const at = (n: number) => Array.from({ length: count }, (_, row) => n * 1000 + row)
const id = (n: number) =>
  `${((n * 2654435761) % 2 ** 32).toString(16).padStart(8, '0')}-1234-4567-89ab-${String(n).padStart(12, '0')}`
const time = (n: number) => new Date(1_700_000_000_000 + n * 61_003).toISOString()
/** Identifying cells between others. */
const rows = at(1).map((n) => ['task', id(n), 'Überprüfung, 確認', time(n)])

const inPages = (lines: string[], perPage: number, title = 'id time') =>
  Array.from({ length: Math.ceil(lines.length / perPage) }, (_, page) =>
    [title, ...lines.slice(page * perPage, (page + 1) * perPage), `Page ${page + 1}`].join('\n'),
  )
const whole = { count, missing: [], repeated: [] }

describe('entries of a PDF are found', () => {
  // Each with the column that tells them apart, and how many letters of it.
  test.each<[string, string, (row: string[]) => string]>([
    ['by ids', '1,36', (row) => `${row[1]} ${row[0]} ${row[2]}`],
    ['by ids and times', '1,36,3,24', (row) => `${row[3]} ${row[1]} ${row[0]}`],
    ['by times', '3,24', (row) => `${row[3]} ${row[0]}`],
    ['where letters are lost', '1,36', (row) => `${row[1]} \0\0 ${row[0]}`],
    ['where cells are cut', '1,12', (row) => `task ${row[1]?.slice(0, 14)}… ${row[0]}`],
    [
      'where cells are wrapped',
      '1,16',
      (row) => `task ${row[1]?.slice(0, 18)} ${row[3]?.slice(0, 9)}\n${row[1]?.slice(18)} rest`,
    ],
    [
      'with a hyphen of the layout',
      '1,20',
      (row) => `${row[1]?.slice(0, 20)}-\n${row[1]?.slice(20)} ${row[0]}`,
    ],
    ['touching the cell before', '1,36', (row) => `${row[0]}${row[1]}${row[3]}`],
    ['where hyphens are others', '1,36', (row) => `${row[1]?.replaceAll('-', '\u2010')}`],
  ])('%s', (_, told, line) => {
    const pages = inPages(rows.map(line), 30)
    const identity = learnIdentity(pages, rows)
    const keys = [identity, ...identity.others].map((key) => [key.columns, key.length])
    expect(keys.join()).toBe(told)
    expect(countEntries(pages, rows, identity)).toEqual(whole)
  })

  test('when one begins on a page and ends on the next', () => {
    const lines = rows.map((row) => `${row[0]} | ${row[1]}`)
    const pages = inPages(lines, 30).map((page) => page.split('\n'))
    const last = pages[0]?.at(-2) ?? ''
    pages[0]?.splice(-2, 1, last.slice(0, 26))
    pages[1]?.splice(1, 0, last.slice(26))
    expect(
      countEntries(
        pages.map((page) => page.join('\n')),
        rows,
      ),
    ).toEqual(whole)
  })

  test('when a title shows their first and last time', () => {
    const title = `From ${rows[0]?.[3]} to ${rows.at(-1)?.[3]}`
    const lines = rows.map((row) => `${row[3]} ${row[0]}`)
    expect(countEntries(inPages(lines, 30, title), rows)).toEqual(whole)
    const repeated = [7, 8, 9].map((row) => rows[row]?.[3])
    const three = inPages(lines, 30, repeated.join(' to '))
    expect(countEntries(three, rows)).toEqual({ ...whole, repeated })
  })

  test.each<[string, (day: number, month: number) => string, boolean]>([
    ['days', (d, m) => `2026-0${m}-${d}`, true],
    ['times before their days', (d, m) => `10:00,${d}.${m}.2026`, true],
    ['days within words', (d, m) => `x2026-0${m}-${d}`, false],
  ])('when a title shows the first and the last, %s', (_, form, areTimes) => {
    const days = Array.from({ length: 90 }, (_, n) => [form(10 + (n % 15), 1 + Math.floor(n / 15))])
    const ends = [days[0], days.at(-1)].map(String)
    const pages = inPages(days.map(String), 30, ends.join(' to '))
    expect(countEntries(pages, days).repeated).toEqual(areTimes ? [] : ends)
  })
})

describe('entries of a PDF are missed', () => {
  const lines = rows.map((row) => `${row[1]} ${row[0]}`)

  test('when they are absent, and told apart from repeated ones', () => {
    const fewer = inPages(
      lines.filter((_, row) => row !== 7 && row !== 90),
      30,
    )
    const missing = [rows[7]?.[1], rows[90]?.[1]]
    expect(countEntries(fewer, rows)).toMatchObject({ count: count - 2, missing })
    const twice = inPages([...lines, lines[7] ?? ''], 30)
    expect(countEntries(twice, rows)).toEqual({ count, missing: [], repeated: [rows[7]?.[1]] })
    const inCsvTwice = [...rows, rows[7] ?? []]
    expect(countEntries(twice, inCsvTwice)).toEqual({ ...whole, count: count + 1 })
    expect(countEntries(inPages(lines, 30), inCsvTwice).missing).toEqual([rows[7]?.[1]])
  })

  const withTimes = rows.map((row) => `${row[1]} ${row[3]}`)
  const strange = '9d8c7b6a-1111-4222-8333-944455566677'

  test('when another id stands beside their time', () => {
    const swapped = withTimes.with(40, `${strange} ${rows[40]?.[3]}`)
    expect(countEntries(inPages(swapped, 30), rows).missing).toEqual([rows[40]?.[1]])
  })

  test('but not when the layout lost an id, and others are around the events or in each of them', () => {
    const without = withTimes.with(40, `${rows[40]?.[1]?.slice(0, 9)} ${rows[40]?.[3]}`)
    const titled = inPages(without, 30, `report ${strange}`)
    expect(countEntries(titled, rows)).toEqual(whole)
    const traced = without.map((line, n) => `${line} ${id(5000 + n)}`)
    expect(countEntries(inPages(traced, 30), rows)).toEqual(whole)
  })

  // A time of its own shows that an event is there though the layout lost its id.
  test.each<[string, (time: string) => string]>([
    ['as in the CSV', (shown) => shown],
    ['in another form', (shown) => shown.replace(/(.*)-(.*)-(.*)T(.{8}).*/, '$3/$2/$1 $4')],
  ])('when neither their id nor their time, %s, is shown among the others', (_, form) => {
    const timeOf = (at: number) => form(String(rows[at]?.[3]))
    const shown = rows.map((row, at) => `${row[1]} ${timeOf(at)}`)
    const lost = (at: number, line: string, title?: string) =>
      countEntries(inPages(shown.with(at, line), 30, title), rows).missing
    const pages = inPages(shown.with(40, `lost ${timeOf(40)}`), 30)
    expect(learnIdentity(pages, rows).columns).toEqual([1])
    expect(countEntries(pages, rows)).toEqual(whole)
    expect(lost(40, 'lost')).toEqual([rows[40]?.[1]])
    expect(lost(40, `lost ${timeOf(41)}`)).toEqual([rows[40]?.[1]])
    expect(lost(0, 'lost', `From ${timeOf(0)} to ${timeOf(count - 1)}`)).toEqual([rows[0]?.[1]])
  })

  test('when a page is lost', () => {
    const identity = learnIdentity(inPages(lines, 30), rows)
    const pages = inPages(lines, 30).slice(1)
    expect(countEntries(pages, rows, identity).missing).toHaveLength(30)
    expect(countEntries(['no events'], rows, identity)).toMatchObject({ count: 0 })
  })
})

// biome-ignore format: one case a line
test.each<[string, (row: string[], n: number) => string[], (row: string[]) => string[]]>([
  ['the PDF shows none of it', (row) => row, () => ['task', 'Überprüfung']],
  ['it is written otherwise', (row) => row, (row) => [String(row[1]).toUpperCase().replaceAll('1', 'I')]],
  ['the same stands in another column', (row) => [row[1] ?? '', row[1] ?? ''], (row) => [row[0] ?? '']],
  ['it is the same for many', (row, n) => ['task', id(n % 9), row[2] ?? ''], (row) => row],
])('what tells events apart is not known where %s', (_, inCsv, inPdf) => {
  const events = rows.map(inCsv)
  const pages = inPages(events.map((row) => `${inPdf(row).join(' ')} and more`), 30)
  expect(() => learnIdentity(pages, events)).toThrow(
    'no value that identifies an event of the CSV is found in the PDF',
  )
})
