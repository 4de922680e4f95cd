import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Cases, type Law, rule } from '../../../engine/clause/law.ts'
import { isEqual, type Multiset, multisetOf, sizeOf } from '../../../engine/files/multiset.ts'
import type { Answer } from '../../../engine/http/client.ts'
import { outcomeOf, Trouble } from '../../../engine/outcome.ts'
import type { Query } from '../../../helpers/export/ask/query.ts'
import type { Bounds } from '../../../helpers/export/laws/file.ts'
import { problemsOf500, problemsOfErrorBody } from '../../../helpers/export/laws/invalid-queries.ts'
import { predicted, readingsOf } from '../../../helpers/export/laws/predict.ts'
import { fetchReversed, problemsOfReversed } from '../../../helpers/export/laws/range-forms.ts'
import { problemsOfZones } from '../../../helpers/export/laws/zones-and-locales.ts'
import type { Ranges } from '../../../helpers/export/learn/ranges.ts'
import { problemsOfEvents } from '../../../helpers/export/learn/relations.ts'
import { runAgainst } from '../../proofs/prove.ts'

/** An event as it looks in a file, and its values: two fields, two values each. */
type Event = { look: string; has: [boolean, boolean, boolean, boolean] }

const event = (look: fc.Arbitrary<string>): fc.Arbitrary<Event> =>
  fc.record({ look, has: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean(), fc.boolean()) })
const trails = fc.array(event(fc.constantFrom('a', 'b', 'c')), { maxLength: 12 })
const unlike = trails.map((all) => all.map((one, n) => ({ ...one, look: `${n}` })))

const setOf = (all: readonly Event[]): Multiset =>
  multisetOf(
    all.map(({ look }) => [look]),
    [0],
  )
const aloneIn = (all: readonly Event[]) =>
  [
    [0, 1],
    [2, 3],
  ].map((field) => field.map((at) => setOf(all.filter(({ has }) => has[at]))))
const isOfField =
  (at: number) =>
  ({ has }: Event) =>
    Boolean(has[at] || has[at + 1])
const passing = (all: readonly Event[]) => all.filter(isOfField(0)).filter(isOfField(2))

test('what passes all filters lies within the prediction', () => {
  fc.assert(
    fc.property(trails, (all) => {
      const expected = predicted(aloneIn(all), setOf(all))
      expect(problemsOfEvents('it', setOf(passing(all)), expected)).toEqual([])
      const of = all.filter(({ has }) => has.some(Boolean)).length
      const [every, any] = readingsOf(aloneIn(all), setOf(all)) as [Bounds, Bounds]
      expect(sizeOf(every.least)).toBeLessThanOrEqual(passing(all).length)
      expect(sizeOf(any.most)).toBeGreaterThanOrEqual(of)
      expect(sizeOf(any.least)).toBeLessThanOrEqual(of)
    }),
  )
})

test('of events that all look different the very ones are predicted', () => {
  fc.assert(
    fc.property(unlike, (all) => {
      const { least, most } = predicted(aloneIn(all), setOf(all))
      expect([least, most].map((one) => isEqual(one, setOf(passing(all))))).toEqual([true, true])
    }),
  )
})

test('a file that lacks a needed event, or has one that does not belong there, is a breach', () => {
  fc.assert(
    fc.property(unlike, fc.nat(), (all, n) => {
      const wanted = predicted(aloneIn(all), setOf(all))
      const found = passing(all)
      fc.pre(found.length > 0)
      expect(
        problemsOfEvents('it', setOf(found.toSpliced(n % found.length, 1)), wanted),
      ).toHaveLength(1)
      const others = all.filter((one) => !found.includes(one))
      const more = setOf([...found, ...others])
      expect(problemsOfEvents('it', more, wanted)).toHaveLength(others.length > 0 ? 1 : 0)
    }),
  )
})

const answerOf = (status: number, text = '') =>
  ({
    exchange: 1,
    method: 'GET',
    path: '/events/export',
    status,
    text,
    headers: { 'content-type': 'application/json' },
  }) as unknown as Answer

const reversed = (status: number) => ({
  what: 'a reversed range',
  answer: answerOf(status),
  control: answerOf(200),
})

/** What comes of cases: how many hold, what is wrong, or what ends the clause. */
async function ruled<Case extends object>(cases: Cases<Case>, law: Law<Case>) {
  try {
    const { problems, decided } = await rule(cases, { law })
    return problems.length > 0 ? problems.map(({ sentence }) => sentence) : decided.length
  } catch (error) {
    return outcomeOf(error).kind
  }
}

test('a 500 to one reversed range hides no 200 to another, and does not pass', async () => {
  const failed = reversed(500)
  expect(await ruled([failed, reversed(400)], problemsOfReversed)).toBe('trouble')
  for (const cases of [
    [failed, reversed(200)],
    [reversed(200), failed],
  ])
    expect(await ruled(cases, problemsOfReversed)).toEqual([
      'GET /events/export responded 200, not 400',
    ])
  expect(await ruled([reversed(422)], problemsOf500)).toBe(1)
  expect(await ruled([failed], problemsOf500)).toEqual([
    'GET /events/export responded 500 twice, to a reversed range, and 200 to a valid one',
  ])
})

/** Ranges of a service without known events, whose answer to a query is given. */
const rangesOf = (statusOf: (query: Query) => number) =>
  ({
    exports: {
      csv: async (query: Query) => ({ answer: answerOf(statusOf(query)) }),
      times: () => [Date.UTC(2025, 0, 1)],
    },
    cuts: async () => [],
    times: async () => ({ columns: [{ unit: 1n }] }),
    few: async () => undefined,
  }) as unknown as Ranges

test('trouble with one reversed range hides no breach of the next', async () => {
  const isReversed = ({ start = '', end = '' }: Query) => start > end
  const asked = (status: number) =>
    fetchReversed(
      rangesOf((query) => {
        if (!isReversed(query)) return 200
        return query.end?.startsWith('2024') ? 503 : status
      }),
      'csv',
    )
  expect(await ruled(await asked(400), problemsOfReversed)).toBe('trouble')
  expect(await ruled(await asked(200), problemsOfReversed)).toHaveLength(3)
})

test('a refusal that does not say that it is JSON decides nothing of its body', async () => {
  const [html, broken] = [answerOf(400, '<p>'), answerOf(400, '{')]
  html.headers = { 'content-type': 'text/html' }
  const trouble = new Trouble('it timed out')
  expect(await ruled([{ answer: html }], problemsOfErrorBody)).toBe('undecided')
  expect(
    await ruled([{ answer: html }, { answer: answerOf(400, '{}') }], problemsOfErrorBody),
  ).toBe(1)
  expect(await ruled([trouble, { answer: broken }], problemsOfErrorBody)).toHaveLength(1)
})

test('a zone with the dates of UTC is passed over where most zones have other dates', () => {
  const filesOf = (...times: string[]) => ({
    files: times.map((time, at) => ({ zone: `zone ${at}`, rows: [['1', time]] })),
  })
  const times = ['10:00', '15:45', '10:00', '19:00']
  expect(problemsOfZones(filesOf(...times))).toMatchObject([
    { sentence: 'the file in zone 2 is as in UTC' },
  ])
  expect(problemsOfZones(filesOf('10:00', '10:00', '10:00', '19:00'))).toEqual([])
  expect(problemsOfZones(filesOf('1 May', '2 May', '1 May', '2 May'))).toEqual([])
})

test('every format, zone, language and range of combined requests meets each of the others', async () => {
  const argv = ['--clauses', 'export.filter.combined.*']
  const { report } = await runAgainst({ events: 300 }, argv, { makers: {} })
  const queries = (report?.exchanges ?? [])
    .map(({ path }) => new URL(path, 'http://localhost').searchParams)
    .filter(
      (query) => [...query.keys()].filter((key) => /_(id|type|source)|\[/.test(key)).length > 2,
    )
  const ends = queries.map((query) => query.get('range_end'))
  const whole = ends.toSorted(
    (a, b) => ends.filter((end) => end === b).length - ends.filter((end) => end === a).length,
  )[0]
  const traits = queries.map((query) => [
    query.get('file_type') === 'pdf',
    query.has('timezone'),
    query.has('locale'),
    query.get('range_end') === whole,
  ])
  for (const a of [0, 1, 2])
    for (const b of [1, 2, 3].slice(a))
      expect(new Set(traits.map((each) => `${each[a]} ${each[b]}`)).size, `${a} with ${b}`).toBe(4)
})
