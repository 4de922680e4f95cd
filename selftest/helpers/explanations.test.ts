import { expect, test } from 'vitest'
import { describeExplanation, type Explanation } from '../../engine/findings/explanation.ts'
import { exactly, rowsFinding } from '../../engine/findings/file-rows.ts'
import { wordsOf } from '../../engine/findings/finding.ts'
import { keyOf } from '../../engine/problem.ts'
import {
  type RowsEvidence,
  withExplanation,
  withExplanationOfTexts,
} from '../../helpers/findings/explanations.ts'
import { kinds } from '../../helpers/findings/kinds.ts'
import { textFinding } from '../../helpers/findings/text.ts'

const fact = rowsFinding({ wrong: 'strange', place: { in: 'csv' }, wanted: exactly(2), got: 4 })

const whyOf = (evidence: Partial<RowsEvidence>): Explanation | undefined =>
  withExplanation(fact, { rows: 'extra', wrong: [], right: [], ...evidence }).why

/** An event: its id, its time, its type, and a text. */
const event = (
  id: string,
  time = '2025-10-20T10:00:00.000Z',
  type = 'task',
  text = '',
): string[] => [id, time, type, text]

const range = { start: '2025-10-20T00:00:00.000Z', end: '2025-10-20T22:00:00.000Z' }
const right = [event('a'), event('b')]
const late = [event('c', '2025-10-20T22:30:00.000Z'), event('d', '2025-10-21T08:00:00.000Z')]
const early = [event('c', '2025-10-19T22:30:00.000Z')]

test('rows that are all dated beyond a bound', () => {
  const after = { is: 'dated', beyond: 'after', bound: 'range_end', at: range.end }
  expect(whyOf({ wrong: late, right, range })).toEqual({ rows: 'extra', count: 2, ...after })
  expect(whyOf({ wrong: early, right, range })).toMatchObject({
    count: 1,
    beyond: 'before',
    bound: 'range_start',
  })
})

test.each<[string, Partial<RowsEvidence>]>([
  ['one is inside', { wrong: [...late, event('e')], right, range }],
  [
    'right ones are beyond it too',
    { wrong: late, right: [...right, event('e', '2025-10-20T23:00:00.000Z')], range },
  ],
  ['no right one shows which column is that of the event', { wrong: late, right: [], range }],
  ['they are beyond different bounds', { wrong: [...late, ...early], right, range }],
  ['they are missing', { rows: 'missing', wrong: late, right, range }],
  ['there is no such bound', { wrong: late, right, range: { start: range.start } }],
  [
    'the file does not show the zone, and a clock may be there',
    {
      wrong: [event('c', '2025-10-20 23:30:00')],
      right: [event('a', '2025-10-20 11:00:00')],
      range,
    },
  ],
  [
    'another column that may be its time denies it',
    {
      wrong: late.map((row) => [...row, '2025-10-20T09:00:00.000Z']),
      right: right.map((row) => [...row, '2025-10-20T09:00:00.000Z']),
      range,
    },
  ],
])('nothing is said of dates if %s', (_, evidence) => {
  expect(whyOf(evidence)).toBeUndefined()
})

test('without the time zone, a day later is beyond the bound on any clock', () => {
  const wrong = [event('c', '2025-10-22 10:00:00')]
  expect(whyOf({ wrong, right: [event('a', '2025-10-20 11:00:00')], range })).toMatchObject({
    is: 'dated',
  })
})

test('the same rows as without the filter', () => {
  const wrong = [event('c')]
  const all = [event('c'), ...right]
  expect(whyOf({ wrong, right, withoutFilter: all })).toEqual({
    rows: 'extra',
    count: 1,
    is: 'as without the filter',
  })
  expect(whyOf({ wrong, right, withoutFilter: [...all, event('d')] })).toBeUndefined()
  expect(whyOf({ wrong, right: [], withoutFilter: wrong })).toBeUndefined()
  expect(whyOf({ wrong, right })).toBeUndefined()
})

const many = Array.from({ length: 2400 }, (_, at) => event(`${at}`))

test('rows of one thousand of a larger file', () => {
  const wrong = many.slice(1010, 1020)
  const asked = { rows: 'missing', wrong, right: many.slice(0, 1010) } as const
  expect(whyOf({ ...asked, inOrder: many })).toEqual({
    rows: 'missing',
    count: 10,
    is: 'in one thousand',
    thousand: 2,
    all: 2400,
  })
  expect(whyOf({ ...asked, wrong: many.slice(998, 1002), inOrder: many })).toBeUndefined()
  expect(
    whyOf({ ...asked, wrong: many.slice(10, 20), inOrder: many.slice(0, 1000) }),
  ).toBeUndefined()
  expect(whyOf({ ...asked, wrong: many.slice(1010, 1011), inOrder: many })).toBeUndefined()
  // Which of two alike rows is meant is unknown.
  expect(whyOf({ ...asked, inOrder: [...many, event('0')] })).toBeUndefined()
})

const withText = (text: string, id = text) => event(id, undefined, undefined, text)
const plain = [withText('Café'), withText('b')]

test.each<[string, string, string, Explanation['is'] | undefined, string?]>([
  ['emoji', 'x 👩‍🚀', 'y ✅ ж', 'with a text', 'emoji'],
  ['letters beyond Latin-1', 'Тест', 'x 契約', 'with a text', 'beyond Latin-1'],
  ['line breaks', 'a\nb', 'c\r\nd', 'with a text', 'line break'],
  ['quotation marks', 'a "b"', '"', 'with a text', 'quote'],
  ['tags', '<b>x', 'y</i>', 'with a text', 'markup'],
  ['different texts', 'Тест', '<b>x', undefined],
  ['letters of Latin-1', 'façade', 'naïve', undefined],
])('rows that have %s', (_, one, other, is, name) => {
  const wrong = [withText(one), withText(other)]
  const why = whyOf({ wrong, right: plain })
  expect(why?.is).toBe(is)
  if (name !== undefined) expect(why).toMatchObject({ class: name, count: 2 })
  expect(whyOf({ wrong, right: [...plain, withText(one, 'right')] })).toBeUndefined()
  expect(whyOf({ wrong: wrong.slice(0, 1), right: plain })).toBeUndefined()
})

const type = { name: 'event_type', column: 2, isPersonal: false }
const user = { name: 'auditee_id', column: 2, isPersonal: true }

test('rows of one kind', () => {
  const wrong = ['c', 'd'].map((id) => event(id, undefined, 'entity'))
  expect(whyOf({ wrong, right, kinds: [type] })).toEqual({
    rows: 'extra',
    count: 2,
    is: 'of one value',
    of: 'event_type',
    value: 'entity',
  })
  expect(whyOf({ wrong, right, kinds: [user] })).toEqual({
    rows: 'extra',
    count: 2,
    is: 'of one value',
    of: 'auditee_id',
  })
  expect(
    whyOf({ wrong: [...wrong, event('e', undefined, 'match')], right, kinds: [type] }),
  ).toBeUndefined()
  expect(
    whyOf({ wrong, right: [...right, event('e', undefined, 'entity')], kinds: [type] }),
  ).toBeUndefined()
  expect(whyOf({ wrong, right: right.slice(0, 1), kinds: [type] })).toBeUndefined()
})

test('several files of one finding: the first that explains it', () => {
  const beside = { rows: 'extra', wrong: late, right } as const
  const within = { ...beside, range: { start: range.start, end: '2025-11-01T00:00:00.000Z' } }
  expect(withExplanation(fact, within, { ...beside, range }).why).toMatchObject({
    is: 'dated',
    at: range.end,
  })
})

test('nothing is said of a part of what is wrong', () => {
  expect(
    withExplanation({ ...fact, count: 3 }, { rows: 'extra', wrong: late, right, range }).why,
  ).toBeUndefined()
})

const finding = textFinding({ in: 'csv' }, 'Тест', { got: '????' })
const long = 'x'.repeat(200)

test('comments of one class', () => {
  const whyOfTexts = (wrong: string[], shown: string[]) =>
    withExplanationOfTexts(finding, { wrong, right: shown }).why
  expect(whyOfTexts(['Тест', '契約'], ['Café', 'b'])).toEqual({
    is: 'texts',
    count: 2,
    class: 'beyond Latin-1',
  })
  expect(whyOfTexts([`${long}y`, `${long}z`], [long, 'b'])).toEqual({
    is: 'texts',
    count: 2,
    class: 'long',
    longerThan: 200,
  })
  expect(whyOfTexts(['Тест', '契約'], ['ж', 'b'])).toBeUndefined()
  expect(whyOfTexts(['Тест'], ['Café', 'b'])).toBeUndefined()
  expect(whyOfTexts(['long', 'longer'], ['a', 'b'])).toBeUndefined()
})

const rows = { rows: 'extra', count: 2 } as const

test.each<[Explanation, string]>([
  [{ ...rows, is: 'as without the filter' }, 'the file has the same rows as without the filter'],
  [
    { ...rows, is: 'dated', beyond: 'after', bound: 'range_end', at: range.end },
    `all 2 extra events are dated after range_end ${range.end}`,
  ],
  [
    { ...rows, count: 1, is: 'dated', beyond: 'before', bound: 'range_start', at: range.start },
    `the extra event is dated before range_start ${range.start}`,
  ],
  [
    { rows: 'missing', count: 10, is: 'in one thousand', thousand: 2, all: 2400 },
    'all 10 missing events are in the second thousand of 2400 rows',
  ],
  [
    { rows: 'missing', count: 10, is: 'in one thousand', thousand: 12, all: 12_400 },
    'all 10 missing events are in the 12th thousand of 12400 rows',
  ],
  [
    { ...rows, is: 'with a text', class: 'line break' },
    'all 2 extra events have a cell with a line break, and no other has',
  ],
  [
    { ...rows, is: 'of one value', of: 'event_type', value: 'entity' },
    'all 2 extra events have event_type entity, and no other has',
  ],
  [
    { ...rows, is: 'of one value', of: 'auditee_id' },
    'all 2 extra events have one auditee_id, and no other has',
  ],
  [
    { is: 'texts', count: 2, class: 'beyond Latin-1' },
    'every text with a letter beyond Latin-1 is lost or changed, 2 in all, and no other',
  ],
  [
    { is: 'texts', count: 2, class: 'long', longerThan: 200 },
    'every text with more than 200 characters is lost or changed, 2 in all, and no other',
  ],
])('an explanation in words: %j', (why, words) => {
  expect(describeExplanation(why)).toBe(words)
})

test('the sentence of a finding ends with its explanation, and the finding stays the same', () => {
  const explained = withExplanation(fact, { rows: 'extra', wrong: late, right, range })
  const { sentence } = wordsOf(fact, kinds)
  expect(wordsOf(explained, kinds).sentence).toBe(
    `${sentence}; all 2 extra events are dated after range_end ${range.end}`,
  )
  expect(keyOf({ finding: explained })).toBe(keyOf({ finding: fact }))
})
