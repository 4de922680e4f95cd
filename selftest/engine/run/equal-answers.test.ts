import { expect, test } from 'vitest'
import { describeExplanation, type Explanation } from '../../../engine/findings/explanation.ts'
import { exactly, type RowsFacts, rowsFinding } from '../../../engine/findings/file-rows.ts'
import type { Exchange } from '../../../engine/http/exchange.ts'
import type { Problem } from '../../../engine/problem.ts'
import { withEqualAnswers } from '../../../engine/run/equal-answers.ts'
import type { Judged } from '../../../engine/run/run-clauses.ts'
import { contract } from '../../../program/run/contract.ts'

const exchange = (number: number, query: string, body: Partial<Exchange> = {}): Exchange => ({
  number,
  start: '',
  method: 'GET',
  path: `/audit-sentinel/events/export?${query}`,
  requestHeaders: {},
  status: 200,
  bodyBytes: 9,
  bodySha256: 'a',
  milliseconds: 1,
  attempt: 1,
  ...body,
})

const file = exchange(9, 'event_type=task&range_start=2025')
const ofUser = exchange(3, 'auditee_id=u1&range_start=2025')
const extra: RowsFacts = { wrong: 'strange', place: { in: 'csv' }, wanted: exactly(2), got: 3 }

function whyBeside(
  others: readonly Exchange[],
  more: { facts?: Partial<RowsFacts>; why?: Explanation } = {},
): Explanation | undefined {
  const finding = {
    ...rowsFinding({ ...extra, ...more.facts }),
    ...(more.why && { why: more.why }),
  }
  const breach: Problem = { finding, judged: [file.number], control: [] }
  const clause: Judged = {
    facts: { id: 'a', level: 'must', statement: '', section: '' },
    outcome: { kind: 'broken', breaches: [breach] },
    evidence: [],
  }
  const all = new Map([...others, file].map((each) => [each.number, each]))
  const outcome = withEqualAnswers([clause], { all, contract })[0]?.outcome
  return outcome?.kind === 'broken' ? outcome.breaches[0]?.finding.why : undefined
}

test('a file with the bytes of an earlier answer to another query', () => {
  const place = { in: 'csv', filters: { auditee_id: ['u1'] } } as const
  const why = { is: 'given before', exchange: 3, place } as const
  expect(whyBeside([ofUser])).toEqual(why)
  expect(describeExplanation(why)).toBe(
    'its bytes are those of an earlier response to another query, the CSV for auditee_id=u1',
  )
})

test('that without filters, or else the last one', () => {
  const plain = exchange(1, 'range_start=2025')
  const ofSource = exchange(4, 'system_source=s')
  expect(whyBeside([plain, ofUser, ofSource])).toMatchObject({ exchange: 1, place: { in: 'csv' } })
  expect(whyBeside([ofUser, ofSource])).toMatchObject({ exchange: 4 })
})

test.each<[string, Exchange]>([
  ['other bytes', { ...ofUser, bodySha256: 'b' }],
  ['a later answer', { ...ofUser, number: 10 }],
  ['the same query in another encoding', exchange(3, 'event_type[]=task&file_type=csv&locale=en')],
  ['the same filter of another range', exchange(3, 'event_type=task&range_start=2024')],
  ['an answer to no export', { ...ofUser, path: '/tasks/1' }],
  ['a rejection', { ...ofUser, status: 400 }],
  ['empty files', { ...ofUser, bodyBytes: 0 }],
])('%s says nothing', (_, other) => {
  expect(whyBeside([other])).toBeUndefined()
})

test.each<[string, Partial<RowsFacts>]>([
  ['lacks events', { wrong: 'missing' }],
  ['has too few', { wrong: 'number', got: 1 }],
])('nothing is said of a file that %s', (_, facts) => {
  expect(whyBeside([ofUser], { facts })).toBeUndefined()
})

test('an explanation by the rows goes before', () => {
  const why = { rows: 'extra', count: 1, is: 'as without the filter' } as const
  expect(whyBeside([ofUser], { why })).toBe(why)
})
