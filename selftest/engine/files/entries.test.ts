import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countEntries } from '../../../engine/files/entries.ts'
import * as texts from '../../../engine/files/entry-text.ts'
import { learnIdentity } from '../../../engine/files/identity.ts'
import { cases } from '../../long.ts'

const count = 200
const id = (n: number) =>
  `${((n * 2654435761) % 2 ** 32).toString(16).padStart(8, '0')}-1234-4567-89ab-${String(n).padStart(12, '0')}`
const time = (n: number) => new Date(1_700_000_000_000 + n * 61_003).toISOString()
/** Identifying cells between others. */
const rows = Array.from({ length: count }, (_, n) => [
  'task',
  id(1 + n),
  'Überprüfung, 確認',
  time(n),
])

const inPages = (lines: string[], perPage: number, title = 'id time') =>
  Array.from({ length: Math.ceil(lines.length / perPage) }, (_, page) =>
    [title, ...lines.slice(page * perPage, (page + 1) * perPage), `Page ${page + 1}`].join('\n'),
  )
const whole = { count, missing: [], repeated: [] }

test.each<[string, (day: number, month: number) => string, boolean]>([
  ['days', (d, m) => `2026-0${m}-${d}`, true],
  ['times before their days', (d, m) => `10:00,${d}.${m}.2026`, true],
  ['days within words', (d, m) => `x2026-0${m}-${d}`, false],
])('entries are found though a title shows the first and the last, %s', (_, form, areTimes) => {
  const days = Array.from({ length: 90 }, (_, n) => [form(10 + (n % 15), 1 + Math.floor(n / 15))])
  const ends = [days[0], days.at(-1)].map(String)
  const pages = inPages(days.map(String), 30, ends.join(' to '))
  expect(countEntries(pages, days).repeated).toEqual(areTimes ? [] : ends)
})

const lines = rows.map((row) => `${row[1]} ${row[0]}`)

test('entries of a PDF are missed as often as they are absent, and told apart from repeated ones', () => {
  const draw = fc.tuple(fc.nat({ max: count - 1 }), fc.nat({ max: count - 1 }))
  fc.assert(
    fc.property(draw, ([lost, twice]) => {
      fc.pre(lost !== twice)
      const shown = lines.toSpliced(lost, 1).concat(lines[twice] ?? '')
      expect(countEntries(inPages(shown, 30), rows)).toEqual({
        count: count - 1,
        missing: [rows[lost]?.[1]],
        repeated: [rows[twice]?.[1]],
      })
      const twiceInCsv = [...rows, rows[twice] ?? []]
      const missing = [rows[twice]?.[1]]
      expect(countEntries(inPages(lines, 30), twiceInCsv)).toMatchObject({ missing })
      expect(countEntries(inPages([...lines, lines[twice] ?? ''], 30), twiceInCsv)).toEqual({
        ...whole,
        count: count + 1,
      })
    }),
    { numRuns: cases(25) },
  )
})

const withTimes = rows.map((row) => `${row[1]} ${row[3]}`)
const strange = '9d8c7b6a-1111-4222-8333-944455566677'

test('entries of a PDF are missed when another id stands beside their time', () => {
  const swapped = withTimes.with(40, `${strange} ${rows[40]?.[3]}`)
  expect(countEntries(inPages(swapped, 30), rows).missing).toEqual([rows[40]?.[1]])
})

test('entries of a PDF are missed but not when the layout lost an id, and others are around the events or in each of them', () => {
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
])('entries are missed when neither id nor time, %s, is shown elsewhere', (_, form) => {
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

// biome-ignore format: one case a line
test.each<[string, (row: string[], n: number) => string[], (row: string[]) => string[]]>([
  ['the same stands in another column', (row) => [row[1] ?? '', row[1] ?? ''], (row) => [row[0] ?? '']],
  ['it is the same for many', (row, n) => ['task', id(n % 9), row[2] ?? ''], (row) => row],
])('what tells events apart is not known where %s', (_, inCsv, inPdf) => {
  const events = rows.map(inCsv)
  const pages = inPages(events.map((row) => `${inPdf(row).join(' ')} and more`), 30)
  expect(() => learnIdentity(pages, events)).toThrow(
    'no value that identifies an event of the CSV is found in the PDF',
  )
})

const { placesOf, squeezed } = texts

// biome-ignore format: one case a line
test.each<[string, string, number, number[]]>([
  ['12-3', 'on 12\u20103, at 12-3 and 1\u00ad2-3', 64, [2, 9, 16]],
  ['one', 'one two onetwo one', 64, [0, 6, 12]],
  ['1:1', 'at 1:15 and 1:1', 64, [9]],
  ['1:1', 'at 1:15', 3, [2]],
  ['12', '312 a12', 64, [4]],
  ['ab-1', 'xab-1', 64, []],
  ['', 'one', 64, []],
  [id(1), `x${id(1)}x`, 64, [1]],
  ['0123456789ab', 'x0123456789abc', 64, [1]],
])('%j stands in %j, of texts of %i letters, at %j', (value, text, length, places) => {
  expect(placesOf(squeezed([text]), [value], length).get(value) ?? []).toEqual(places)
})

test('pages begin where their text does, and lose hyphens at the end of a line', () => {
  const { text, pages } = squeezed(['one two', ' three', ''])
  expect([text, pages]).toEqual(['onetwothree', [0, 6, 11]])
  expect(texts.withoutHyphens(['a-\nb- \nc-d', 'e-\u2010\n'])).toEqual(['abc-d', 'e-'])
})

test('a text that is not shown as it is has what comes nearest', () => {
  const pages = ['the quick  brown', 'fox \u2013 jumps']
  expect(texts.nearestText(pages, 'quick red')).toBe('quick brown fox - jumps')
  expect(texts.nearestText(pages, 'fox - jumps')).toBe('fox - jumps')
  expect(texts.nearestText(pages, 'foxes')).toBeUndefined()
  expect(texts.nearestText([`a b ${'x'.repeat(90)}`], 'a b y')).toHaveLength(25)
  expect(texts.nearestText(['x'.repeat(90)], 'x'.repeat(70))).toHaveLength(80)
})

test('texts are shown whole, or cut with an ellipsis behind enough letters', () => {
  const pages = ['a  short text', 'a longer text that was c… x, a text of two long li... y']
  const shown = ['short text', 'a longer text that was cut', 'a text of two long lines']
  const others = ['a longer text that was kept', 'another text of two li', 'short texts']
  for (const text of shown) expect(texts.shareShown(pages, [text]), text).toBe(1)
  for (const text of others) expect(texts.shareShown(pages, [text]), text).toBe(0)
  expect(texts.shareShown(pages, [...shown, ...others])).toBe(0.5)
  expect(texts.shareShown(pages, [])).toBe(0)
  expect(texts.shareShown(['a short t… x'], ['a short text'])).toBe(0)
  const long = 'x'.repeat(64)
  expect(texts.shareShown([`${long}…`], [`${long}y`])).toBe(1)
})

test('a value may be divided between two pages, with titles around it', () => {
  const isDivided = texts.dividedIn(['x aaa11 page 1', 'title 22bbb y', 'z'])
  const values = ['aaa1122bbb', '122bbb', 'aaa1122bbc', 'aaa', '22bbb', '22bbbyx']
  expect(values.map(isDivided)).toEqual([true, true, false, false, false, false])
})

const hundred = 100
const day = (n: number) => `2026-03-${String(1 + Math.floor(n / 10)).padStart(2, '0')}`
const clock = (n: number) => `1${n % 10}:0${n % 7}`
const numbers = Array.from({ length: hundred }, (_, n) => n)
const paged = (lines: string[]) => inPages(lines, 25, 'Page')

const isoOf = (n: number, second = `${10 + (n % 7)}.5Z`) => `${day(n)}T${clock(n)}:${second}`
const withSecond = (n: number) => `${isoOf(n).slice(0, 21).replace('T', ' ')} paid`
const withDay = (n: number) => `${day(n).split('-').reverse().join('/')} ${clock(n)} paid`

test.each([
  ['to the minute', withDay, { order: 'dmy', unit: 60_000_000_000n }],
  ['to the second', withSecond, { order: 'ymd', unit: 1_000_000_000n }],
])('events without an id are told apart by times in another form, %s', (_, line, form) => {
  const rows = numbers.map((n) => ['task', id(n), isoOf(n)])
  const pages = paged(numbers.map(line))
  const identity = learnIdentity(pages, rows)
  expect(identity).toMatchObject({ columns: [2], times: { ...form, orderInCsv: 'ymd' } })
  expect(countEntries(pages, rows)).toEqual({ ...whole, count: hundred })
  const fewer = paged(numbers.filter((n) => n !== 42).map(line))
  const missing = [isoOf(42, line === withSecond ? '10.000Z' : '00.000Z')]
  expect(countEntries(fewer, rows, identity)).toMatchObject({ count: hundred - 1, missing })
})

const letter = (n: number) => 'abcdefghij'[n % 10]
// biome-ignore format: one form a line
test.each<[string, (n: number) => string, number[] | undefined]>([
  ['long numbers', (n) => String(1_234_567_000 + n), [0]],
  ['short numbers', (n) => String(123_456_000 + n), undefined],
  ['short words with a digit', (n) => `word-${100 + n}`, [0]],
  ['words that are too short', (n) => `wor-${100 + n}`, undefined],
  ['words without a digit', (n) => `wordword${letter(n)}${letter(Math.floor(n / 10))}`, undefined],
])('events without an id that is shown are told apart by %s only if none is found by chance', (_, cellOf, columns) => {
  const rows = numbers.map((n) => [cellOf(n), 'x'])
  const pages = paged(rows.map((row) => `${row[0]} and more`))
  const learned = () => learnIdentity(pages, rows).columns
  if (columns) expect(learned()).toEqual(columns)
  else expect(learned).toThrow('no value that identifies an event')
})

test('events without an id that is shown are told apart by ids that are partly shown', () => {
  const rows = numbers.map((n) => [id(n), 'x'])
  const pages = (shown: number) => paged(numbers.slice(0, shown).map((n) => `${id(n)} x`))
  for (const some of [5, 60, 95])
    expect(learnIdentity(pages(some), rows)).toEqual({ columns: [0], length: 36, others: [] })
  expect(() => learnIdentity(pages(4), rows)).toThrow('no value')
})
