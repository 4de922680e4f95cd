import { describe, expect, test } from 'vitest'
import { countEntries } from '../../../engine/files/entries.ts'
import * as texts from '../../../engine/files/entry-text.ts'
import { learnIdentity } from '../../../engine/files/identity.ts'

const { placesOf, squeezed } = texts
const id = (n: number) =>
  `${(n * 2654435761).toString(16).slice(-8).padStart(8, 'a')}-1234-4567-89ab-0000000000ff`

// biome-ignore format: one case a line
test.each<[string, string, number, number[]]>([
  ['a word', 'one two one', 64, []],
  ['12-3', 'on 12\u20103, at 12-3 and 1\u00ad2-3', 64, [2, 9, 16]],
  ['one', 'one two onetwo one', 64, [0, 6, 12]],
  ['one', 'two/one twoone', 64, [4]],
  ['1:1', 'at 1:15 and 1:1', 64, [9]],
  ['1:1', 'at 1:1 5 and 1:1', 64, [2, 9]],
  ['1:1', 'at 1:15', 3, [2]],
  ['Nov', '1Nov aNov', 64, [1]],
  ['12', '312 a12', 64, [4]],
  ['ab-1', 'xab-1', 64, []],
  ['Az', 'zAz@Az{Az', 64, [4, 7]],
  ['', 'one', 64, []],
  [id(1), `x${id(1)}x`, 64, [1]],
  [id(1), `x-${id(2).slice(0, 9)}${id(1)}`, 64, [11]],
  ['0123456789ab', 'x0123456789abc', 64, [1]],
])('%j stands in %j, of texts of %i letters, at %j', (value, text, length, places) => {
  expect(placesOf(squeezed([text]), [value], length).get(value) ?? []).toEqual(places)
})

test('pages begin where their text does, and lose hyphens at the end of a line', () => {
  const { text, pages, words } = squeezed(['one two', ' three', ''])
  expect([text, pages, [...words]]).toEqual([
    ...['onetwothree', [0, 6, 11]],
    [1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 1],
  ])
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

const count = 100
const day = (n: number) => `2026-03-${String(1 + Math.floor(n / 10)).padStart(2, '0')}`
const clock = (n: number) => `1${n % 10}:0${n % 7}`
const numbers = Array.from({ length: count }, (_, n) => n)
const inPages = (lines: string[]) =>
  [0, 1, 2, 3].map((page) => ['Page', ...lines.slice(page * 25, page * 25 + 25)].join('\n'))
const found = { count, missing: [], repeated: [] }

describe('events without an id that is shown', () => {
  const isoOf = (n: number, second = `${10 + (n % 7)}.5Z`) => `${day(n)}T${clock(n)}:${second}`
  const withSecond = (n: number) => `${isoOf(n).slice(0, 21).replace('T', ' ')} paid`
  const withDay = (n: number) => `${day(n).split('-').reverse().join('/')} ${clock(n)} paid`

  test.each([
    ['to the minute', withDay, { order: 'dmy', unit: 60_000_000_000n }],
    ['to the second', withSecond, { order: 'ymd', unit: 1_000_000_000n }],
  ])('are told apart by times in another form, %s', (_, line, form) => {
    const rows = numbers.map((n) => ['task', id(n), isoOf(n)])
    const pages = inPages(numbers.map(line))
    const identity = learnIdentity(pages, rows)
    expect(identity).toMatchObject({
      columns: [2],
      times: { ...form, orderInCsv: 'ymd' },
    })
    expect(countEntries(pages, rows)).toEqual(found)
    const fewer = inPages(numbers.filter((n) => n !== 42).map(line))
    expect(countEntries(fewer, rows, identity)).toMatchObject({
      count: count - 1,
      missing: [isoOf(42, line === withSecond ? '10.000Z' : '00.000Z')],
    })
    const more = countEntries(pages, rows.slice(1), identity)
    expect(more).toMatchObject({ count: count - 1, missing: [] })
  })

  const letter = (n: number) => 'abcdefghij'[n % 10]
  // biome-ignore format: one form a line
  test.each<[string, (n: number) => string, number[] | undefined]>([
    ['long numbers', (n) => String(1_234_567_000 + n), [0]],
    ['short numbers', (n) => String(123_456_000 + n), undefined],
    ['short words with a digit', (n) => `word-${100 + n}`, [0]],
    ['words that are too short', (n) => `wor-${100 + n}`, undefined],
    ['words without a digit', (n) => `wordword${letter(n)}${letter(Math.floor(n / 10))}`, undefined],
  ])('are told apart by %s only if none is found by chance', (_, cellOf, columns) => {
    const rows = numbers.map((n) => [cellOf(n), 'x'])
    const pages = inPages(rows.map((row) => `${row[0]} and more`))
    const learned = () => learnIdentity(pages, rows).columns
    if (columns) expect(learned()).toEqual(columns)
    else expect(learned).toThrow('no value that identifies an event')
  })

  test('are told apart by ids that are partly shown', () => {
    const rows = numbers.map((n) => [id(n), 'x'])
    const pages = (shown: number) => inPages(numbers.slice(0, shown).map((n) => `${id(n)} x`))
    for (const some of [5, 60, 95])
      expect(learnIdentity(pages(some), rows)).toEqual({ columns: [0], length: 36, others: [] })
    expect(() => learnIdentity(pages(4), rows)).toThrow('no value')
  })
})
