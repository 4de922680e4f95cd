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
  test.each<[string, (row: string[]) => string]>([
    ['by ids', (row) => `${row[1]} ${row[0]} ${row[2]}`],
    ['by times', (row) => `${row[3]} ${row[0]}`],
    ['where letters are lost', (row) => `${row[1]} \0\0 ${row[0]}`],
    ['where cells are cut', (row) => `task ${row[1]?.slice(0, 14)}… ${row[0]}`],
    [
      'where cells are wrapped',

      (row) => `task ${row[1]?.slice(0, 18)} ${row[3]?.slice(0, 9)}\n${row[1]?.slice(18)} rest`,
    ],
    [
      'with a hyphen of the layout',
      (row) => `${row[1]?.slice(0, 20)}-\n${row[1]?.slice(20)} ${row[0]}`,
    ],
    ['touching the cell before', (row) => `${row[0]}${row[1]}${row[3]}`],
    ['where hyphens are others', (row) => `${row[1]?.replaceAll('-', '\u2010')}`],
  ])('%s', (_, line) => {
    const pages = inPages(rows.map(line), 30)
    expect(countEntries(pages, rows)).toEqual(whole)
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
    const pages = inPages(
      rows.map((row) => `${row[3]} ${row[0]}`),
      30,
      title,
    )
    expect(countEntries(pages, rows)).toEqual(whole)
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
